import { bundleSchema, PlimsollError, type Bundle, type ChainTables } from '@plimsoll/contracts'
import { createSessionSpill } from '../features/session-spill.js'
import { HORIZON, HORIZON_MAX } from '../fit/fit.js'
import type { Tables } from '../fit/tables.js'
import { thresholdRules, type ThresholdRules } from '../fit/thresholds.js'
import { isHeldOutAbout, type About } from '../traces/recording.js'
import { fitFlowScorers, FLOW_OPTIONS, viewedApart, type FlowOptions, type FlowScorers } from './fit-flow.js'
import { createFlowCounts, type FlowChains } from './flow-chains.js'
import { flowOriginOf } from './flow-origin.js'
import { scoresIn } from './flow-scores.js'
import type { FlowSession } from './flow-session.js'
import { createFlowPeaks, type CategoryThresholds, type FlowThresholds } from './flow-thresholds.js'
import { gatherSessions, type Gathered, type Head } from './gathered.js'

/** What a fit is about once all sessions are read, in this order. */
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
  /** Sessions to keep out: the test split and fold 4 unless told otherwise. */
  readonly heldOut?: (about: About) => boolean
  readonly options?: FlowOptions
  /** Share of the safe sessions in which a step may ask a human; see `thresholdRules`. */
  readonly budget?: number
  /** Where more are to be fitted to, scorers are grown on a sample of so many steps; chains and thresholds count all. */
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
  gathered: Gathered,
  settings: FlowBundleOptions & Required<Pick<FlowBundleOptions, 'heldOut' | 'options'>>,
): Promise<Bundle> {
  const { name, options, onPhase = () => {} } = settings
  onPhase('sample')
  const { table, sessions } = await gathered.sample()
  if (!sessions.some(({ truth }) => truth.unsafe))
    throw new PlimsollError('traces_invalid', 'no violated session is left to fit')
  onPhase('scorers')
  const scorers = fitFlowScorers(table, sessions, options)
  onPhase('chains')
  const chains = await chainsOf(gathered, scorers)
  onPhase('thresholds')
  const rules = thresholdRules(settings.budget)
  const thresholds = await thresholdsOf(gathered, scorers, chains, rules)
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
    flow: scorers.flow,
    origin: flowOriginOf({ ...settings, ...gathered, thresholds, chains, rules }),
  })
}

async function chainsOf(gathered: Gathered, scorers: FlowScorers): Promise<FlowChains> {
  const counts = createFlowCounts()
  for await (const { table, sessions } of gathered.blocks()) {
    const view = viewedApart(scorers, table, sessions)
    for (const session of sessions) counts.add(view, session)
  }
  return counts.chains()
}

async function thresholdsOf(
  gathered: Gathered,
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
