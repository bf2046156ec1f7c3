import { bundleSchema, PlimsollError, type Bundle, type StateSpace } from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import { spaceOf, type Space } from '../sessions/space.js'
import type { Target } from '../sessions/truth.js'
import { isHeldOut, type Trace } from '../traces/trace.js'
import { buildChains } from './chains.js'
import { countSessions, type Counted } from './count.js'
import { createEstimator } from './estimate.js'
import { originOf } from './origin.js'
import { BUDGET, thresholdRules } from './thresholds.js'

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
  /** Sessions to keep out: the test split and fold 4 unless told otherwise. */
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
    throw new PlimsollError('traces_invalid', 'no session is left to fit', {
      details: { sources: counted.sources },
    })
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
