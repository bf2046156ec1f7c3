import { type Counts, type Estimate, estimateAggregate, estimateCategory } from '@plimsoll/chains'
import {
  type Bundle,
  type ChainTables,
  type StateSpace,
  PlimsollError,
  bundleSchema,
} from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import type { Target } from './session-path.js'
import { type Space, VIOLATED_LEVEL, spaceOf } from './space.js'
import { type Trace, isHeldOut } from '../../corpus/trace.js'
import { type Counted, type Tally, countSessions, proposedRisk, rounded, tablesOf } from './tally.js'
import {
  type ChosenThreshold,
  type ThresholdRules,
  BUDGET,
  SAFE_SESSIONS_MIN,
  chooseThresholds,
  thresholdRules,
} from './thresholds.js'

/** A chain as it goes into a bundle, and how its thresholds came about. */
export interface BuiltChain {
  readonly tables: ChainTables
  readonly chosen: Readonly<Record<keyof ChainTables['thresholds'], readonly ChosenThreshold[]>>
}

export interface BuiltChains {
  readonly aggregate: BuiltChain
  readonly categories: ReadonlyMap<string, BuiltChain>
}

interface ChainSettings {
  readonly rules: ThresholdRules
  readonly horizon: number
  readonly horizonMax: number
}

/** Estimates, tables and thresholds of every category and of the aggregate. */
export function buildChains(counted: Counted, estimator: Estimator, settings: ChainSettings): BuiltChains {
  const estimate = estimator.aggregate(counted.aggregate.counts)
  const aggregate = buildChain(counted.aggregate, estimate, settings)
  const categories = Array.from(counted.categories, ([name, tally]) => {
    const own = buildChain(tally, estimator.category(tally.counts, estimate), settings)
    return [name, isThin(tally) ? withThresholdsOf(aggregate, own) : own] as const
  })
  return { aggregate, categories: new Map(categories) }
}

function buildChain(
  tally: Tally,
  estimate: Estimate,
  { horizon, horizonMax, rules }: ChainSettings,
): BuiltChain {
  const tables = tablesOf(estimate, tally, { horizon, horizonMax })
  const chosen = {
    hazard: chooseThresholds(tally, tables.hazard, rules.hazard),
    forward: chooseThresholds(tally, proposedRisk(tables, horizon), rules.forward),
  }
  const values = (thresholds: readonly ChosenThreshold[]) => thresholds.map(({ threshold }) => threshold)
  return {
    tables: { ...tables, thresholds: { hazard: values(chosen.hazard), forward: values(chosen.forward) } },
    chosen,
  }
}

const isThin = ({ traces, violations }: Tally): boolean => traces - violations < SAFE_SESSIONS_MIN

function withThresholdsOf(
  { tables: { thresholds }, chosen }: BuiltChain,
  { tables }: BuiltChain,
): BuiltChain {
  return { tables: { ...tables, thresholds }, chosen }
}

/** Estimates of the aggregate and of a category of it, over `space`. */
export interface Estimator {
  readonly aggregate: (counts: Counts) => Estimate
  readonly category: (counts: Counts, aggregate: Estimate) => Estimate
}

/**
 * For a *modelled* target nothing about hazard is uncertain: a step is the violation exactly where it arrives in a state that the
 * cascade calls violated; so what a prior would put there counts as violated too.
 */
export function createEstimator(space: Space, target: Target, kappa: number): Estimator {
  const isViolation = (s: number): boolean => target === 'modelled' && space.levelOf[s] === VIOLATED_LEVEL
  const join = (from: number, to: number): number => {
    const joined = space.join(from, to)
    return isViolation(joined) ? space.size : joined
  }
  const withHazard = (estimate: Estimate): Estimate =>
    target === 'observed'
      ? estimate
      : { ...estimate, hazard: estimate.hazard.map((_, s) => (isViolation(s) ? 1 : 0)) }
  return {
    aggregate: (counts) => withHazard(estimateAggregate(counts, { kappa, group: space.priorOf, join })),
    category: (counts, aggregate) => withHazard(estimateCategory(counts, aggregate, kappa)),
  }
}

export interface OriginFacts {
  readonly target: Target
  readonly space: StateSpace
  readonly kappa: number
  readonly catalogueVersion: string
  readonly heldOut: (trace: Trace) => boolean
  readonly counted: Counted
  readonly chains: BuiltChains
  readonly rules: ThresholdRules
}

const ATTACK_HEAVY =
  'figures are of recorded sessions, most of them attacked on purpose: base rates lie far above those of everyday work'

const UNLISTED =
  'of recorded tools that the catalogue does not list, labels are those proposed by name and description, without review'

const NOTES: Readonly<Record<Target, readonly string[]>> = {
  observed: [
    ATTACK_HEAVY,
    'violated is what the recording says, at the step it names; sessions assumed benign count as survivals',
    'a violation at no named step is spread evenly over the steps of its session; numbers of steps and violations are then expected ones',
    'sessions whose labellers disagree are left out',
    UNLISTED,
  ],
  modelled: [
    ATTACK_HEAVY,
    'violated is what the cascade says, whatever the recording says: hazards are 0 or 1',
    UNLISTED,
  ],
}

/** The origin of a bundle, in plain JSON. */
export function originOf(facts: OriginFacts): Record<string, unknown> {
  const { target, space, kappa, catalogueVersion, heldOut, counted, chains } = facts
  const tallies = [['aggregate', counted.aggregate], ...counted.categories] as [string, Tally][]
  const built = [['aggregate', chains.aggregate], ...chains.categories] as [string, BuiltChain][]
  return {
    notes: NOTES[target],
    method: `order 1 over ${space}, absorbing in violated and ended; rows and hazards are shrunk from category to aggregate to risk level to all, kappa each`,
    kappa,
    catalogue: catalogueVersion,
    heldOut: heldOut === isHeldOut ? 'split `test` and fold 4' : 'as the caller said',
    sources: counted.sources,
    baseRates: Object.fromEntries(tallies.map(([name, tally]) => [name, baseRateOf(tally)])),
    thresholds: {
      rule: `the lowest score that safe training sessions reach within the budgets, at least the floors; the aggregate's for fewer than ${SAFE_SESSIONS_MIN} safe sessions`,
      ...facts.rules,
      chosen: Object.fromEntries(built.map(([name, chain]) => [name, chosenIn(chain)])),
    },
  }
}

const baseRateOf = ({ violations, traces }: Tally): number => rounded(violations / Math.max(1, traces))

function chosenIn({ chosen }: BuiltChain): Record<keyof BuiltChain['chosen'], ChosenThreshold[]> {
  return { hazard: chosen.hazard.map(roundedThreshold), forward: chosen.forward.map(roundedThreshold) }
}

const roundedThreshold = ({ threshold, falsePositives, detection }: ChosenThreshold): ChosenThreshold => ({
  threshold,
  falsePositives: rounded(falsePositives),
  detection: rounded(detection),
})

/** The categories that get a chain of their own (SafetyDrift §7.1); every other one is in the aggregate alone. */
export const CATEGORIES = ['data_handling', 'research_comms', 'sysadmin', 'code_debugging'] as const

/**
 * Steps that a prior weighs. By the likelihood of folds left out, transitions are indifferent from 2 to 20 and hazards want more: a new
 * attack uses steps that were harmless in those seen before.
 */
export const KAPPA = 20

/** Steps ahead: SafetyDrift §5.5 judges at 5 and shows up to 10. */
export const HORIZON = 5
export const HORIZON_MAX = 10

export interface FitOptions {
  readonly traces: AsyncIterable<Trace>
  readonly labelOf: Labeller
  /** What `labelOf` looks tools up in, by content hash; the bundle's origin names it. */
  readonly catalogueVersion: string
  readonly target: Target
  readonly space: StateSpace
  readonly name?: string
  readonly categories?: readonly string[]
  /** κ: see `Shrinkage` of @plimsoll/chains. */
  readonly kappa?: number
  /** Steps that P(h) looks ahead at run time, and the most that the tables know. */
  readonly horizon?: number
  readonly horizonMax?: number
  /** Share of the safe sessions in which a step may ask a human; see `thresholdRules`. */
  readonly budget?: number
  /** Sessions to keep out: the test split and fold 4 by default. */
  readonly heldOut?: (trace: Trace) => boolean
}

/**
 * Fits a model bundle to recorded sessions, read once, in memory that does not grow with them. The same sessions in the same order
 * give the same bundle.
 *
 * @throws PlimsollError `traces_invalid` where no session is left to fit
 */
export async function fit(options: FitOptions): Promise<Bundle> {
  const settings = withDefaults(options)
  const space: Space = spaceOf(settings.space)
  const counted = await countSessions({ ...settings, space })
  return bundleFrom(counted, settings)
}

/** A bundle from sessions that were added up. Throws `traces_invalid` where there is none. */
export function bundleFrom(
  counted: Counted,
  settings: Omit<Required<FitOptions>, 'traces' | 'labelOf'>,
): Bundle {
  if (counted.aggregate.traces === 0)
    throw new PlimsollError(
      'traces_invalid',
      'no session is left to fit: the files hold none, or all of them are held out',
      {
        details: { sources: counted.sources },
      },
    )
  const space: Space = spaceOf(settings.space)
  const { name, target, horizon, horizonMax } = settings
  const rules = thresholdRules(settings.budget)
  const chains = buildChains(counted, createEstimator(space, target, settings.kappa), { ...settings, rules })
  return bundleSchema.parse({
    schema: 1,
    kind: 'plimsoll.bundle',
    name,
    space: space.name,
    target,
    horizon,
    horizonMax,
    aggregate: chains.aggregate.tables,
    categories: Object.fromEntries(Array.from(chains.categories, ([name, { tables }]) => [name, tables])),
    origin: originOf({ ...settings, space: space.name, counted, chains, rules }),
  })
}

export function withDefaults(options: FitOptions): Required<FitOptions> {
  return {
    ...options,
    name: options.name ?? `${options.space}-${options.target}`,
    categories: options.categories ?? CATEGORIES,
    kappa: options.kappa ?? KAPPA,
    horizon: options.horizon ?? HORIZON,
    horizonMax: options.horizonMax ?? HORIZON_MAX,
    budget: options.budget ?? BUDGET,
    heldOut: options.heldOut ?? isHeldOut,
  }
}
