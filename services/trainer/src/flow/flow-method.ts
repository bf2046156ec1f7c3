import type { Method } from '../evaluation/method-fold.js'
import type { Corpus } from '../evaluation/source-census.js'
import type { SessionTable } from '../features/session-table.js'
import type { About, Recording } from '../traces/recording.js'
import { type FlowModel, type FlowOptions, FLOW_OPTIONS, fitFlow } from './fit-flow.js'
import type { TrainingSession } from './training.js'

/** What steps of sessions weigh that are only assumed to be safe: they tell of ordinary work, and nobody has looked. */
export const ASSUMED_WEIGHT = 0.25

/** Inner folds of sessions that have none of their own. */
export const INNER_FOLDS = 5

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

export function trainingSessions({ recordings }: Corpus, training: readonly number[]): TrainingSession[] {
  return training.flatMap((n) => {
    const recording = recordings[n]
    return recording ? [trainingSession(recording, recording.blind.category, n)] : []
  })
}

/** @param n its place among all sessions, and in the table */
export function trainingSession(
  { truth, about }: Pick<Recording, 'truth' | 'about'>,
  category: string,
  n: number,
): TrainingSession {
  const weight = truth.assumed ? ASSUMED_WEIGHT : 1
  return { n, truth, category, group: innerFoldOf(about, n), weight }
}

/** By the attack's goal, else by the user's task: calibration is to hold for attacks that are new. */
const innerFoldOf = ({ attackFold, taskFold }: About, n: number): number =>
  attackFold ?? taskFold ?? n % INNER_FOLDS
