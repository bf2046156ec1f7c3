import {
  type Bundle,
  type ChainTables,
  type CountedTransition,
  parseTransitionField,
} from '@plimsoll/contracts'
import { wilson } from '@plimsoll/chains'
import { spaceOf, stateName } from '../fit/chain/space.js'

/** What monitors counted of one chain's sessions. */
export interface LiveTally {
  /** Sessions that made a step, and by the state that it left. */
  sessions: number
  readonly starts: Map<number, number>
  /** Steps that ran and whose result is known. */
  steps: number
  /** Sessions that ended, those that the cascade had called violated among them. */
  ended: number
  /** Sessions that the cascade called violated. */
  violated: number
  /** Sessions with an outcome, and those that did harm. */
  labelled: number
  labelledViolated: number
  /** transitions[from × (S + 2) + to]; S is `violated`, S + 1 is `ended`. By the target, see `countsFor`. */
  readonly transitions: Float64Array
}

export interface LiveTallies {
  /** All sessions, whatever their category. */
  readonly aggregate: LiveTally
  readonly categories: ReadonlyMap<string, LiveTally>
  /** What was no move of the space: counted by something else under the same name. */
  readonly unread: number
}

/**
 * Adds up `counted`, as the session store has it (one map a month), by the categories of `bundle`. To a *modelled* target a session ends
 * where the cascade calls it violated. For an *observed* target live counts hold no violation: each step was survived.
 */
export function tallyLive(
  counted: readonly ReadonlyMap<string, number>[],
  bundle: Bundle,
  states: number,
): LiveTallies {
  const empty = (): LiveTally => ({
    sessions: 0,
    starts: new Map(),
    steps: 0,
    ended: 0,
    violated: 0,
    labelled: 0,
    labelledViolated: 0,
    transitions: new Float64Array(states * (states + 2)),
  })
  const aggregate = empty()
  const categories = new Map(Object.keys(bundle.categories).map((name) => [name, empty()]))
  let unread = 0
  for (const fields of counted)
    for (const [field, n] of fields) {
      const transition = parseTransitionField(field)
      if (!transition || transition.from >= states || transition.to >= states || !(n > 0)) {
        unread += 1
        continue
      }
      for (const tally of [aggregate, categories.get(transition.category)])
        if (tally) add(tally, transition, n, bundle.target, states)
    }
  return { aggregate, categories, unread }
}

function add(
  tally: LiveTally,
  transition: CountedTransition,
  n: number,
  target: Bundle['target'],
  states: number,
): void {
  const { kind } = transition
  if (kind === 'began') {
    tally.sessions += n
    tally.starts.set(transition.from, (tally.starts.get(transition.from) ?? 0) + n)
  }
  if (kind === 'survived' || kind === 'passed') tally.steps += n
  if (kind === 'ended' || kind === 'endedViolated') tally.ended += n
  if (kind === 'violated') tally.violated += n
  if (kind === 'labelledSafe' || kind === 'labelledViolated') tally.labelled += n
  if (kind === 'labelledViolated') tally.labelledViolated += n
  const to = destinationOf(transition, target, states)
  if (to === undefined) return
  const at = transition.from * (states + 2) + to
  tally.transitions[at] = (tally.transitions[at] ?? 0) + n
}

/** Where a move leads in the chain; undefined where it is none of the target's. */
function destinationOf(
  { kind, to }: CountedTransition,
  target: Bundle['target'],
  states: number,
): number | undefined {
  switch (kind) {
    case 'survived':
      return to
    case 'ended':
      return states + 1
    case 'violated':
      return target === 'modelled' ? states : undefined
    case 'passed':
      return target === 'observed' ? to : undefined
    case 'endedViolated':
      return target === 'observed' ? states + 1 : undefined
    case 'began':
    case 'labelledSafe':
    case 'labelledViolated':
      return undefined
  }
}

/** A way that live sessions take more or less often than those that the bundle was fitted to. */
export interface LiveChange {
  readonly from: string
  readonly to: string
  /** Among steps and ends from there: recorded share, live share, and where the true one lies with 95% confidence. */
  readonly recorded: number
  readonly live: number
  readonly low: number
  readonly high: number
  readonly n: number
  readonly of: number
}

/**
 * Where live sessions of a chain go otherwise than the recorded ones: the recorded share lies outside the Wilson interval of the live
 * one. The ones that most steps took first. Violations are left out: they are counted differently.
 */
export function liveChanges(
  tables: ChainTables,
  live: LiveTally,
  bundle: Bundle,
  limit: number,
): LiveChange[] {
  const { size, name } = spaceOf(bundle.space)
  const recorded = sharesOf(tables, size)
  const nameOf = (s: number) => (s === size + 1 ? 'ended' : stateName(name, s))
  const changes: (LiveChange & { readonly weight: number })[] = []
  for (let from = 0; from < size; from++) {
    const row = live.transitions.subarray(from * (size + 2), (from + 1) * (size + 2))
    const of = row.reduce((sum, n, to) => (to === size ? sum : sum + n), 0)
    const before = recorded.get(from)
    if (of === 0 || !before) continue
    for (const [to, n] of row.entries()) {
      const share = before.get(to) ?? 0
      if (to === size || (n === 0 && share === 0)) continue
      const { rate, low, high } = wilson(n, of)
      if (share >= low && share <= high) continue
      const weight = Math.abs(rate - share) * of
      changes.push({
        from: nameOf(from),
        to: nameOf(to),
        recorded: share,
        live: rate,
        low,
        high,
        n,
        of,
        weight,
      })
    }
  }
  return changes
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ weight: _weight, ...change }) => change)
}

/** Shares of each row of a bundle's counts, violations left out. */
function sharesOf({ counts }: ChainTables, size: number): Map<number, Map<number, number>> {
  const totals = new Map<number, number>()
  const rows = new Map<number, Map<number, number>>()
  for (const [from, to, n] of counts)
    if (to !== size) {
      totals.set(from, (totals.get(from) ?? 0) + n)
      rows.set(from, (rows.get(from) ?? new Map<number, number>()).set(to, n))
    }
  for (const [from, row] of rows) for (const [to, n] of row) row.set(to, n / (totals.get(from) ?? 1))
  return rows
}
