import { type Bundle, type ChainTables, PlimsollError, bundleSchema } from '@plimsoll/contracts'
import type { SourceLine } from '../corpus/corpus.js'
import { createSessionSpill } from '../fit/features/session-spill.js'
import { HORIZON, HORIZON_MAX, KAPPA } from '../fit/chain/fit.js'
import { type Tables, rounded } from '../fit/chain/tally.js'
import {
  type ChosenThreshold,
  type ThresholdRules,
  SAFE_SESSIONS_MIN,
  thresholdRules,
} from '../fit/chain/thresholds.js'
import { type About, isHeldOutAbout } from '../corpus/recording.js'
import { type CollectedSessions, type FlowSession, type Head, gatherSessions } from '../fit/flow/collected.js'
import {
  type FlowModel,
  type FlowOptions,
  type FlowScorers,
  FLOW_OPTIONS,
  fitFlowScorers,
  viewedApart,
} from '../fit/flow/fit-flow.js'
import { type FlowChains, createFlowCounts, scoresIn } from '../fit/flow/flow-scores.js'
import type { SampleCounts } from '../fit/flow/session-sample.js'
import { type TrainingSession, ASSUMED_WEIGHT } from '../fit/flow/training.js'
import { type FlowThresholds, type CategoryThresholds, createFlowPeaks } from './flow-peaks.js'

export interface FlowOriginFacts {
  readonly sources: readonly SourceLine[]
  /** What was left out of the sample that the scorers were grown on, if anything. */
  readonly sampled: SampleCounts | undefined
  readonly madeWith: Readonly<Record<'catalogue' | 'instructions', string>>
  readonly heldOut: (about: About) => boolean
  readonly options: FlowOptions
  readonly thresholds: CategoryThresholds
  readonly chains: FlowChains
  readonly rules: ThresholdRules
}

const NOTES = [
  'figures are of recorded sessions, most of them attacked on purpose: base rates lie far above those of everyday work',
  'violated is what the recording says, at the step it names; steps after it are left out; proposals that never ran are censored',
  `sessions that are only assumed to be safe count, with ${ASSUMED_WEIGHT} of the weight in the scorers`,
  'a source that does not name the violating step is fitted to as a whole: the scorer of conduct predicts the label of the session, spread over its steps; chains count each step by the probability that it was the violation',
  'sources count alike in the scorer of conduct, whatever their size; the budgets of thresholds hold in each source with 100 safe sessions, within a standard error',
  'calibration, buckets, chains and thresholds are fitted to what inner models say of attacks that they have not seen',
]

const SAMPLING =
  'scorers were grown on the kept sessions of either kind, each with the weight of those that it stands for, and calibrated on them; chains and thresholds count all'

/** The origin of a bundle of the space `flow`, in plain JSON. */
export function flowOriginOf(facts: FlowOriginFacts): Record<string, unknown> {
  const { sources, sampled, madeWith, heldOut, options, thresholds } = facts
  const chains = [['aggregate', facts.chains.aggregate] as const, ...facts.chains.categories]
  return {
    notes: NOTES,
    method:
      'boosted trees for the hazard of a step and for where a session stands, calibrated isotonically; a chain of order 1 over level × taint × bucket, absorbing in violated and ended',
    kappa: KAPPA,
    ...madeWith,
    heldOut: heldOut === isHeldOutAbout ? 'split `test` and fold 4' : 'as the caller said',
    sessions: facts.chains.aggregate.traces,
    ...(sampled && { sampled: { rule: SAMPLING, ...sampled } }),
    sources: Object.fromEntries(sources.map(({ source, ...line }) => [source, line])),
    baseRates: Object.fromEntries(
      chains.map(([name, { violations, traces }]) => [name, rounded(violations / Math.max(1, traces))]),
    ),
    scorers: options,
    thresholds: {
      rule: `the lowest score that safe training sessions reach within the budgets, at least the floors; the aggregate's for fewer than ${SAFE_SESSIONS_MIN} safe sessions`,
      ...facts.rules,
      chosen: Object.fromEntries(
        chains.map(([name]) => [
          name,
          chosenIn(name === 'aggregate' ? thresholds.aggregate : thresholds.of(name)),
        ]),
      ),
    },
  }
}

const chosenIn = ({ hazard, forward }: FlowThresholds) => ({
  hazard: hazard.map(roundedThreshold),
  forward: forward.map(roundedThreshold),
})

const roundedThreshold = ({ threshold, falsePositives, detection }: ChosenThreshold): ChosenThreshold => ({
  threshold,
  falsePositives: rounded(falsePositives),
  detection: rounded(detection),
})

/** The phases of a fit after all sessions are read, in this order. */
export const FLOW_PHASES = ['sample', 'scorers', 'chains', 'thresholds', 'labelsOnly'] as const
export type FlowPhase = (typeof FLOW_PHASES)[number]

/**
 * Steps of the sessions that scorers are grown on at most: more than three times those that the bundle that ships is fitted to. In memory
 * 0.3 kB each where they repeat each other as agents do, 0.6 kB where no two are alike.
 */
export const SAMPLE_STEPS = 300_000

export interface FlowBundleOptions {
  readonly sessions: AsyncIterable<FlowSession>
  readonly name: string
  /** Versions of what the features were made with; the bundle's origin names them. */
  readonly madeWith: Readonly<Record<'catalogue' | 'instructions', string>>
  /** Sessions to keep out: the test split and fold 4 by default. */
  readonly heldOut?: (about: About) => boolean
  readonly options?: FlowOptions
  /** Share of the safe sessions in which a step may ask a human; see `thresholdRules`. */
  readonly budget?: number
  /** Of more sessions, scorers are grown on a sample of so many steps; chains and thresholds count all. */
  readonly sampleSteps?: number
  /** Where 200 to 300 bytes a step are kept while fitting; the system's folder for such files if left out. */
  readonly folder?: string
  readonly onPhase?: (phase: FlowPhase) => void
}

/**
 * A bundle of the space `flow`: scorers, chains and thresholds, fitted to the recorded truth. Sessions are read once, in memory that does
 * not grow with them.
 *
 * @throws PlimsollError `traces_invalid` where no violated session is left to fit; `usage_invalid` where `folder` cannot be written to
 */
export async function fitFlowBundle(settings: FlowBundleOptions): Promise<Bundle> {
  const { sessions, heldOut = isHeldOutAbout, options = FLOW_OPTIONS, sampleSteps = SAMPLE_STEPS } = settings
  const spill = await createSessionSpill<Head>(settings.folder)
  try {
    const gathered = await gatherSessions(sessions, spill, { heldOut, sampleSteps })
    return await fitGathered(gathered, { ...settings, heldOut, options })
  } finally {
    await spill.close()
  }
}

async function fitGathered(
  gathered: CollectedSessions,
  settings: FlowBundleOptions & Required<Pick<FlowBundleOptions, 'heldOut' | 'options'>>,
): Promise<Bundle> {
  const { name, options, onPhase = () => {} } = settings
  onPhase('sample')
  const { table, sessions } = await gathered.sample()
  if (!sessions.some(({ truth }) => truth.unsafe))
    throw new PlimsollError(
      'traces_invalid',
      'no violated session is left to fit: give sessions of both outcomes',
    )
  onPhase('scorers')
  const scorers = fitFlowScorers(table, sessions, options)
  onPhase('chains')
  const chains = await chainsOf(gathered, scorers)
  onPhase('thresholds')
  const rules = thresholdRules(settings.budget)
  const thresholds = await thresholdsOf(gathered, scorers, chains, rules)
  const origin = flowOriginOf({ ...settings, ...gathered, thresholds, chains, rules })
  return bundleWith({ name, flow: scorers.flow, chains, thresholds, origin })
}

/**
 * A model that was fitted in memory as a bundle that the engine can judge by. Thresholds are chosen as those of the bundles that ship, by
 * what inner models say of `sessions`, which are those that the model was fitted to.
 */
export function bundleOfModel(model: FlowModel, sessions: readonly TrainingSession[], name: string): Bundle {
  const peaks = createFlowPeaks(thresholdRules())
  for (const session of sessions) peaks.add(session, model.scoreTraining(session.n, session.category))
  const { flow, chains } = model
  return bundleWith({ name, flow, chains, thresholds: peaks.choose(), origin: { notes: [] } })
}

interface BundleParts extends Pick<FlowModel, 'flow' | 'chains'> {
  readonly name: string
  readonly thresholds: CategoryThresholds
  readonly origin: Readonly<Record<string, unknown>>
}

function bundleWith({ name, flow, chains, thresholds, origin }: BundleParts): Bundle {
  const categories = Array.from(chains.categories, ([category, tables]) => [
    category,
    chainWith(tables, thresholds.of(category)),
  ])
  return bundleSchema.parse({
    schema: 1,
    kind: 'plimsoll.bundle',
    name,
    space: 'flow',
    target: 'observed',
    horizon: HORIZON,
    horizonMax: HORIZON_MAX,
    aggregate: chainWith(chains.aggregate, thresholds.aggregate),
    categories: Object.fromEntries(categories),
    flow,
    origin,
  })
}

async function chainsOf(gathered: CollectedSessions, scorers: FlowScorers): Promise<FlowChains> {
  const counts = createFlowCounts()
  for await (const { table, sessions } of gathered.blocks()) {
    const view = viewedApart(scorers, table, sessions)
    for (const session of sessions) counts.add(view, session)
  }
  return counts.chains()
}

async function thresholdsOf(
  gathered: CollectedSessions,
  scorers: FlowScorers,
  chains: FlowChains,
  rules: ThresholdRules,
): Promise<CategoryThresholds> {
  const peaks = createFlowPeaks(rules)
  for await (const { table, sessions } of gathered.blocks()) {
    const view = viewedApart(scorers, table, sessions)
    for (const session of sessions) peaks.add(session, scoresIn(view, session.n, chains.of(session.category)))
  }
  return peaks.choose()
}

function chainWith(tables: Tables, thresholds: FlowThresholds): ChainTables {
  const values = (kind: keyof FlowThresholds) => thresholds[kind].map(({ threshold }) => threshold)
  return { ...tables, thresholds: { hazard: values('hazard'), forward: values('forward') } }
}
