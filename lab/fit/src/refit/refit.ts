import {
  type Chain,
  type Counts,
  type Estimate,
  type Proportion,
  createChain,
  wilson,
} from '@plimsoll/chains'
import {
  type Bundle,
  type ChainTables,
  PlimsollError,
  bundleSchema,
  meaningOf,
  versionOf,
} from '@plimsoll/contracts'
import { KAPPA, createEstimator } from '../fit/chain/fit.js'
import { rounded, tablesOf } from '../fit/chain/tally.js'
import { type Space, spaceOf } from '../fit/chain/space.js'
import { type LiveTallies, type LiveTally, tallyLive } from './live-tally.js'
import { groupedBy } from '../corpus/corpus.js'

export interface LiveFacts {
  readonly bundle: Bundle
  /** Of the present bundle. */
  readonly version: string
  readonly months: readonly string[]
  readonly kappa: number
  readonly tallies: LiveTallies
  readonly kept: readonly string[]
}

/** Significant digits of what comes later: a few live steps change the later ones. */
const DIGITS = 6

const NOTES: Readonly<Record<Bundle['target'], readonly string[]>> = {
  observed: [
    'live sessions say where steps lead that are survived; how likely a state is left by a violation is the present bundle’s, because live counts hold no violations',
    'hazards are the present bundle’s',
  ],
  modelled: ['violated is what the cascade says, of live sessions too'],
}

const THRESHOLDS =
  'thresholds are the present bundle’s: their false positives were measured on the sessions that it was fitted to, under its own chains'

/** The origin of a bundle refitted from live counts; the present bundle's origin is in it as `present`. */
export function liveOrigin({
  bundle,
  version,
  months,
  kappa,
  tallies,
  kept,
}: LiveFacts): Record<string, unknown> {
  const named = [['aggregate', tallies.aggregate] as const, ...tallies.categories]
  return {
    notes: [...NOTES[bundle.target], THRESHOLDS],
    method: `chains of \`${bundle.name}\` (${version}) estimated again from live counts; of each of its rows at most kappa steps count beside them`,
    kappa,
    months,
    live: Object.fromEntries(named.map(([name, tally]) => [name, figuresOf(tally)])),
    keptChains: kept,
    present: { version, ...presentOrigin(bundle) },
  }
}

/** The origin of what was fitted to recordings: refits of refits do not pile up. */
function presentOrigin({ origin }: Bundle): Record<string, unknown> {
  const { present, ...own } = origin
  return typeof present === 'object' && present !== null ? { ...present } : { origin: own }
}

const figuresOf = ({
  sessions,
  steps,
  ended,
  violated,
  labelled: reported,
  labelledViolated,
}: LiveTally) => ({
  sessions,
  steps,
  ended,
  violatedByCascade: interval(wilson(violated, sessions)),
  reported: { sessions: reported, violated: interval(wilson(labelledViolated, reported)) },
})

const interval = ({ n, rate, low, high }: Proportion) =>
  Number.isNaN(rate) ? { n } : { n, rate: rounded(rate), low: rounded(low), high: rounded(high) }

/**
 * The steps behind a chain's tables, of each row at most `kappa` in proportion: what live counts are shrunk towards. Whole numbers,
 * for a bundle holds its counts; remainders go to the largest, so that a row keeps its sum. transitions[from × (S + 2) + to].
 *
 * @param withViolated whether the column `violated` is kept
 */
export function priorCounts(
  { counts }: ChainTables,
  states: number,
  kappa: number,
  withViolated: boolean,
): Float64Array {
  const width = states + 2
  const prior = new Float64Array(states * width)
  const rows = groupedBy(
    counts.filter(([, to]) => withViolated || to !== states),
    ([from]) => from,
  )
  for (const [from, row] of rows) {
    const kept = scaled(
      row.map(([, , n]) => n),
      kappa,
    )
    for (const [i, [, to]] of row.entries()) prior[from * width + to] = kept[i] ?? 0
  }
  return prior
}

/** `values` in proportion, as whole numbers that sum to `total`; as they are where they do not sum to more. */
function scaled(values: readonly number[], total: number): number[] {
  const sum = values.reduce((a, b) => a + b, 0)
  if (sum <= total) return [...values]
  const exact = values.map((value) => (value * total) / sum)
  const whole = exact.map(Math.floor)
  const left = total - whole.reduce((a, b) => a + b, 0)
  const byRemainder = [...exact.keys()].sort(
    (a, b) => (exact[b] ?? 0) - (whole[b] ?? 0) - ((exact[a] ?? 0) - (whole[a] ?? 0)) || a - b,
  )
  for (const at of byRemainder.slice(0, left)) whole[at] = (whole[at] ?? 0) + 1
  return whole
}

/** So many steps of each of the present bundle's rows count beside the live ones. */
export const LIVE_KAPPA = 200

/** Fewer than these say too little of a fleet; a category with fewer steps keeps its chain. */
export const LIVE_BOUNDS = { steps: 1_000, ended: 50, categorySteps: 300 } as const

export interface RefitOptions {
  /** What the sessions are pinned to. */
  readonly bundle: Bundle
  /** As the session store has it, a map a month. */
  readonly counted: readonly ReadonlyMap<string, number>[]
  /** The months, as the origin names them. */
  readonly months: readonly string[]
  readonly kappa?: number
  readonly name?: string
}

export interface Refit {
  readonly bundle: Bundle
  readonly tallies: LiveTallies
  /** Categories that were counted too little, and keep their chain. */
  readonly kept: readonly string[]
}

/**
 * Estimates a bundle's chains again from what monitors counted. Space, target, scorers, edges, hazards and thresholds stay.
 * Each row is that of the present bundle, with the weight of at most `kappa` steps, and the live steps from there. To a *modelled* target
 * violations are counted too. For an *observed* target they are not counted: how likely a state is left by one stays as it is, and
 * live steps say where sessions go that are not. Source: docs/explanation/live-sessions.md.
 *
 * @throws PlimsollError `counts_too_few`, saying what is missing
 */
export function refitFromLive(options: RefitOptions): Refit {
  const { bundle, counted, months, kappa = LIVE_KAPPA } = options
  const { horizon, horizonMax } = bundle
  const space = spaceOf(bundle.space)
  const tallies = tallyLive(counted, bundle, space.size)
  assertEnough(tallies.aggregate, bundle, months)
  // In the space `flow` the scorer says which steps are violations, not the cascade.
  const estimator = createEstimator(space, space.name === 'flow' ? 'observed' : bundle.target, KAPPA)
  const countsOf = (tables: ChainTables, live: LiveTally) =>
    countsWith(tables, live, { bundle, space, kappa })
  const all = countsOf(bundle.aggregate, tallies.aggregate)
  const estimate = estimator.aggregate(all)
  const refitted = (tables: ChainTables, counts: Counts, live: LiveTally, found: Estimate): ChainTables => {
    const kept = bundle.target === 'observed' ? keepingViolations(found, tables) : found
    const { sessions: traces, steps, violated } = live
    const violations = bundle.target === 'modelled' ? violated : 0
    const starts = Float64Array.from({ length: space.size }, (_, s) => live.starts.get(s) ?? 0)
    const tally = { counts, starts, traces, steps, violations, visits: new Map() }
    return {
      ...tablesOf(kept, tally, { horizon, horizonMax, digits: DIGITS }),
      thresholds: tables.thresholds,
    }
  }
  const kept: string[] = []
  const categories = Object.entries(bundle.categories).map(([name, tables]): [string, ChainTables] => {
    const live = tallies.categories.get(name)
    if (!live || live.steps < LIVE_BOUNDS.categorySteps) {
      kept.push(name)
      return [name, tables]
    }
    const counts = countsOf(tables, live)
    return [name, refitted(tables, counts, live, estimator.category(counts, estimate))]
  })
  const fitted = {
    ...bundle,
    name: options.name ?? liveName(bundle.name),
    aggregate: refitted(bundle.aggregate, all, tallies.aggregate, estimate),
    categories: Object.fromEntries(categories),
  }
  const origin = liveOrigin({ bundle, months, kappa, tallies, kept, version: versionOf(bundle) })
  return { bundle: bundleSchema.parse({ ...fitted, origin }), tallies, kept }
}

const NAME_CHARS_MAX = 64
const SUFFIX = '-live'
const liveName = (name: string): string =>
  name.endsWith(SUFFIX) ? name : `${name.slice(0, NAME_CHARS_MAX - SUFFIX.length)}${SUFFIX}`

interface RefitContext {
  readonly bundle: Bundle
  readonly space: Space
  readonly kappa: number
}

/** Live counts beside those of the present bundle. Where steps arrive is not asked: hazards stay, or are the cascade's. */
function countsWith(tables: ChainTables, live: LiveTally, { bundle, space, kappa }: RefitContext): Counts {
  const states = space.size
  const prior = priorCounts(tables, states, kappa, bundle.target === 'modelled')
  return {
    states,
    transitions: prior.map((n, at) => n + (live.transitions[at] ?? 0)),
    arrivals: new Float64Array(states),
    violating: new Float64Array(states),
  }
}

/** An estimate of survived steps, with the present bundle's chances of a violation and its hazards. */
function keepingViolations({ chain }: Estimate, tables: ChainTables): Estimate {
  const { states } = chain
  const violated = tables.forward[1] ?? []
  const rows = chain.rows.map((row, s) => mixed(row, violated[s] ?? 0, states))
  return { chain: createChain(rows) satisfies Chain, hazard: Float64Array.from(tables.hazard) }
}

function mixed(row: Float64Array, violated: number, states: number): Float64Array {
  const survived = 1 - (row[states] ?? 0)
  return row.map((p, to) => {
    if (to === states) return violated
    // A row with violations alone ends.
    if (survived <= 0) return to === states + 1 ? 1 - violated : 0
    return ((1 - violated) * p) / survived
  })
}

function assertEnough({ steps, ended }: LiveTally, bundle: Bundle, months: readonly string[]): void {
  if (steps >= LIVE_BOUNDS.steps && ended >= LIVE_BOUNDS.ended) return
  const since = months.at(-1) ?? ''
  const where = `under the states of bundle \`${bundle.name}\` (\`${meaningOf(bundle)}\`) since ${since}`
  throw new PlimsollError(
    'counts_too_few',
    steps + ended === 0
      ? `nothing was counted ${where}`
      : `${steps} steps and ${ended} ended sessions were counted ${where}; at least ${LIVE_BOUNDS.steps} and ${LIVE_BOUNDS.ended} are wanted`,
    { details: { steps, ended, stepsMin: LIVE_BOUNDS.steps, endedMin: LIVE_BOUNDS.ended } },
  )
}
