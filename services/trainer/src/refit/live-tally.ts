import { parseTransitionField, type Bundle, type CountedTransition } from '@plimsoll/contracts'

/** What monitors counted of one chain's sessions. */
export interface LiveTally {
  /** Sessions that made a step, and by the state that it left. */
  sessions: number
  readonly starts: Map<number, number>
  /** Steps that were let run and whose result is known. */
  steps: number
  /** Sessions that ended, those that the cascade had called violated among them. */
  ended: number
  /** Sessions that the cascade called violated. */
  violated: number
  /** Sessions of which somebody said what really happened, and those that did harm. */
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
 * where the cascade calls it violated. To an *observed* one nobody has told of any violation: each step was survived.
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
