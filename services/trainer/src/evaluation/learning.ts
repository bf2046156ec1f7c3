import { inChanceOrder } from '../chain-report/sampling.js'
import type { SessionTable } from '../features/session-table.js'
import { flowMethod } from '../flow/flow-method.js'
import type { About } from '../traces/recording.js'
import { scoreFold } from './evaluate.js'
import type { Fold } from './folds.js'
import type { NamedFold, StudyOptions } from './study.js'

/** Parts of what a fold lets methods be fitted to. */
const SHARES = [
  [1 / 8, 'an eighth'],
  [1 / 4, 'a quarter'],
  [1 / 2, 'half'],
] as const

/** The method `flow`, detector and all, fitted to ever more of the attacks' goals, then to as much of the sessions whatever their goal. */
export function learningFolds(
  { corpus, group, growing }: StudyOptions,
  fold: Fold,
  tableFor: (training: readonly number[]) => SessionTable,
  onProgress: (note: string) => void,
): NamedFold[] {
  return partsOf(
    corpus.recordings.map(({ about }) => about),
    fold,
  ).map(({ name, trains }) => {
    onProgress(`${fold.name}: ${name}`)
    const part = { ...fold, trains: (about: About) => fold.trains(about) && trains(about) }
    return { name, fold: scoreFold({ corpus, group }, flowMethod(corpus, tableFor, growing), part) }
  })
}

function partsOf(recordings: readonly About[], fold: Fold): Pick<Fold, 'name' | 'trains'>[] {
  const training = recordings.filter(fold.trains)
  const goals = inChanceOrder([...new Set(training.map(({ goal }) => goal).filter((goal) => goal !== ''))])
  const sessions = inChanceOrder(training)
  return SHARES.flatMap(([share, name]) => {
    const seen = new Set(goals.slice(0, Math.ceil(share * goals.length)))
    const picked = new Set(sessions.slice(0, Math.ceil(share * sessions.length)))
    return [
      { name: `flow, ${name} of the goals`, trains: ({ goal }: About) => goal === '' || seen.has(goal) },
      { name: `flow, ${name} of the sessions`, trains: (about: About) => picked.has(about) },
    ]
  })
}
