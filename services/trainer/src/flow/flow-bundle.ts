import { bundleSchema, PlimsollError, type Bundle, type ChainTables } from '@plimsoll/contracts'
import type { Corpus } from '../evaluation/corpus.js'
import type { SessionTable } from '../features/session-table.js'
import { HORIZON, HORIZON_MAX } from '../fit/fit.js'
import type { Tables } from '../fit/tables.js'
import { isHeldOutAbout, type About } from '../traces/recording.js'
import { fitFlow, FLOW_OPTIONS, type FlowOptions } from './fit-flow.js'
import { trainingSessions } from './flow-method.js'
import { flowOriginOf } from './flow-origin.js'
import { chooseFlowThresholds, type FlowThresholds } from './flow-thresholds.js'

export interface FlowBundleOptions {
  readonly corpus: Corpus
  readonly table: SessionTable
  readonly name: string
  /** Versions of what the features were made with; the bundle's origin names them. */
  readonly madeWith: Readonly<Record<'catalogue' | 'instructions', string>>
  /** Sessions to keep out: the test split and fold 4 unless told otherwise. */
  readonly heldOut?: (about: About) => boolean
  readonly options?: FlowOptions
}

/**
 * A bundle of the space `flow`: scorers, chains and thresholds, fitted to the recorded truth.
 *
 * @throws PlimsollError `traces_invalid` where no violated session is left to fit
 */
export function fitFlowBundle(settings: FlowBundleOptions): Bundle {
  const { corpus, table, name, heldOut = isHeldOutAbout, options = FLOW_OPTIONS } = settings
  const training = corpus.judged.filter((n) => {
    const about = corpus.recordings[n]?.about
    return about && corpus.isFittable(n) && !heldOut(about)
  })
  const sessions = trainingSessions(corpus, training)
  if (!sessions.some(({ truth }) => truth.unsafe))
    throw new PlimsollError('traces_invalid', 'no violated session is left to fit')
  const model = fitFlow(table, sessions, options)
  const thresholds = chooseFlowThresholds(model, sessions)
  const categories = Array.from(model.chains.categories, ([category, tables]) => [
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
    aggregate: chainWith(model.chains.aggregate, thresholds.aggregate),
    categories: Object.fromEntries(categories),
    flow: model.flow,
    origin: flowOriginOf({ ...settings, heldOut, options, sessions, thresholds, model }),
  })
}

function chainWith(tables: Tables, thresholds: FlowThresholds): ChainTables {
  const values = (kind: keyof FlowThresholds) => thresholds[kind].map(({ threshold }) => threshold)
  return { ...tables, thresholds: { hazard: values('hazard'), forward: values('forward') } }
}
