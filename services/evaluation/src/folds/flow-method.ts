import {
  type Corpus,
  type FlowModel,
  type FlowOptions,
  type SessionTable,
  FLOW_OPTIONS,
  fitFlow,
  trainingSessions,
} from '@plimsoll/trainer'
import type { Method } from '../metrics/method-fold.js'

/** Scorers, buckets and chains fitted again in each fold, over the features that `tableFor` gives of its training sessions. */
export function flowMethod(
  corpus: Corpus,
  tableFor: (training: readonly number[]) => SessionTable,
  options: FlowOptions = FLOW_OPTIONS,
  onFitted: (model: FlowModel) => void = () => {},
): Method {
  const categoryOf = (n: number): string => corpus.recordings[n]?.blind.category ?? ''
  return {
    name: 'flow',
    fit: (training) => {
      const model = fitFlow(tableFor(training), trainingSessions(corpus, training), options)
      onFitted(model)
      return {
        score: (n) => model.score(n, categoryOf(n)),
        scoreTraining: (n) => model.scoreTraining(n, categoryOf(n)),
      }
    },
  }
}
