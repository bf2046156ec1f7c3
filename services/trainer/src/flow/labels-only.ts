import { bundleSchema, type Bundle } from '@plimsoll/contracts'
import { OBSERVER_PARTS } from '@plimsoll/labels'
import { FLOW_OPTIONS, type FlowOptions } from './fit-flow.js'

/** What a client does not see that tells of tools' names alone: everything. */
export const UNTOLD = OBSERVER_PARTS

/** Scorers of labels alone see a handful of numbers that take few values each: few and small trees say all of it. */
export const UNTOLD_OPTIONS: FlowOptions = {
  hazard: { ...FLOW_OPTIONS.hazard, trees: 30, depth: 3, learningRate: 0.2 },
  session: { ...FLOW_OPTIONS.session, trees: 30, depth: 3, learningRate: 0.2, featureShare: 1 },
}

/** `bundle`, which judges sessions whose clients tell of nothing by the model in `labels`, fitted to the same sessions as such clients tell of them. */
export function withLabelsOnly(bundle: Bundle, labels: Bundle): Bundle {
  const { space, aggregate, categories, flow, origin } = labels
  return bundleSchema.parse({
    ...bundle,
    labelsOnly: { space, aggregate, categories, flow },
    origin: {
      ...bundle.origin,
      labelsOnly: {
        notes: ['the same sessions, of which nothing is told but the names of tools'],
        scorers: origin['scorers'],
        thresholds: origin['thresholds'],
      },
    },
  })
}
