import { createChain, type Chain, type Counts, type Estimate } from '@plimsoll/chains'
import {
  bundleSchema,
  meaningOf,
  PlimsollError,
  versionOf,
  type Bundle,
  type ChainTables,
} from '@plimsoll/contracts'
import { createEstimator } from '../fit/estimate.js'
import { KAPPA } from '../fit/fit.js'
import { tablesOf } from '../fit/tables.js'
import { spaceOf, type Space } from '../sessions/space.js'
import { tallyLive, type LiveTallies, type LiveTally } from './live-tally.js'
import { liveOrigin } from './live-origin.js'
import { priorCounts } from './prior.js'

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
 * Estimates a bundle's chains anew from what monitors counted. Space, target, scorers, edges, hazards and thresholds stay.
 * Each row is that of the present bundle, with the weight of at most `kappa` steps, and the live steps from there. To a *modelled* target
 * violations are counted too. To an *observed* one nobody has told of them: how likely a state is left by one stays as it is, and
 * live steps say where sessions go that are not. Source: docs/decisions/20261122-live-counts.md.
 *
 * @throws PlimsollError `counts_too_few`, saying what is missing
 */
export function refitFromLive(options: RefitOptions): Refit {
  const { bundle, counted, months, kappa = LIVE_KAPPA } = options
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
    const tally = { counts, traces, steps, violations, visits: new Map() }
    return { ...tablesOf(kept, tally, bundle.horizonMax), thresholds: tables.thresholds }
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

interface Ground {
  readonly bundle: Bundle
  readonly space: Space
  readonly kappa: number
}

/** Live counts beside those of the present bundle. Where steps arrive is not asked: hazards stay, or are the cascade's. */
function countsWith(tables: ChainTables, live: LiveTally, { bundle, space, kappa }: Ground): Counts {
  const states = space.size
  const prior = priorCounts(tables, states, kappa, bundle.target === 'modelled')
  return {
    states,
    transitions: prior.map((n, at) => n + (live.transitions[at] ?? 0)),
    arrivals: new Float64Array(states),
    violating: new Float64Array(states),
  }
}

/** An estimate of where steps go that are survived, with the present bundle's chances of one that is not, and its hazards. */
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
    // A row of which nothing but its violations is known ends.
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
