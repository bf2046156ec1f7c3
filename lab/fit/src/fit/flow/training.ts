import type { SessionTable } from '../features/session-table.js'
import type { Corpus } from '../../corpus/corpus.js'
import { type About, type RecordedTruth, type Recording, taskFoldOf } from '../../corpus/recording.js'
import type { StepPosterior } from '../chain/session-path.js'
import type { ScorerRows } from './scorer-fit.js'
import { HORIZON } from '../chain/fit.js'

/** A session to fit to, and how. */
export interface TrainingSession {
  /** Its place in the table. */
  readonly n: number
  readonly truth: RecordedTruth
  readonly category: string
  /** Its inner fold: 0–255. */
  readonly group: number
  readonly source: string
  /** Whether its source labels sessions as a whole and never names the violating step: only its conduct is fitted to. */
  readonly isWhole: boolean
  /** Whether it was attacked: then it is no ordinary work, even if it went well. */
  readonly isAttacked: boolean
  /** What its steps weigh in the scorers. */
  readonly weight: number
  /** A value a step, where only the session is known to be violated: the chains count it in parts. Without it such a session counts as safe. */
  readonly posterior?: StepPosterior
}

/** The last step that counts: the violating one, else the session's last. What comes after a violation says nothing. */
export const endOf = (table: SessionTable, { n, truth }: TrainingSession): number =>
  truth.violatedAt ?? table.stepsOf(n) - 1

/** Proposed steps and whether each was the violation. A proposal that never ran is censored: it is no survival. */
export function hazardRows(table: SessionTable, sessions: readonly TrainingSession[]): ScorerRows {
  const rows = createRows()
  for (const session of sessions) {
    const { n, truth } = session
    for (let i = 0; i <= endOf(table, session); i++)
      if (!truth.unexecuted.has(i)) rows.add(table.stepAt(n) + i, i === truth.violatedAt, session)
  }
  return rows.build()
}

/** The states of sessions before their first step and after each result, and whether one of the next five steps is the violation. */
export function sessionRows(table: SessionTable, sessions: readonly TrainingSession[]): ScorerRows {
  const rows = createRows()
  for (const session of sessions) {
    const { n, truth } = session
    const { violatedAt } = truth
    for (let after = 0; after <= (violatedAt ?? table.stepsOf(n)); after++) {
      const isNear = violatedAt !== undefined && violatedAt < after + HORIZON
      rows.add(table.sessionRowAt(n) + after, isNear, session)
    }
  }
  return rows.build()
}

/** Where each step up to the end arrives. */
export function arrivalRows(
  table: SessionTable,
  sessions: readonly TrainingSession[],
): Pick<ScorerRows, 'rows' | 'groups'> {
  const rows = createRows()
  for (const session of sessions)
    for (let i = 0; i <= endOf(table, session); i++) rows.add(table.stepAt(session.n) + i, false, session)
  return rows.build()
}

function createRows() {
  const rows: number[] = []
  const labels: number[] = []
  const weights: number[] = []
  const groups: number[] = []
  return {
    add: (row: number, isTrue: boolean, { weight, group }: TrainingSession): void => {
      rows.push(row)
      labels.push(isTrue ? 1 : 0)
      weights.push(weight)
      groups.push(group)
    },
    build: (): ScorerRows => ({
      rows: Int32Array.from(rows),
      labels: Uint8Array.from(labels),
      weights: Float64Array.from(weights),
      groups: Uint8Array.from(groups),
    }),
  }
}

/** The weight of steps in sessions that are only assumed to be safe: ordinary work without review. */
export const ASSUMED_WEIGHT = 0.25

/** Inner folds of sessions that have none of their own. */
export const INNER_FOLDS = 5

export function trainingSessions(
  { recordings, isSilent }: Corpus,
  training: readonly number[],
): TrainingSession[] {
  return training.flatMap((n) => {
    const recording = recordings[n]
    return recording
      ? [trainingSession(recording, recording.blind.category, n, isSilent(recording.about.source))]
      : []
  })
}

/** @param n its place among all sessions, and in the table */
export function trainingSession(
  { truth, about }: Pick<Recording, 'truth' | 'about'>,
  category: string,
  n: number,
  isWhole: boolean,
): TrainingSession {
  const weight = truth.assumed ? ASSUMED_WEIGHT : 1
  const isAttacked = about.goal !== ''
  return { n, truth, category, group: innerFoldOf(about), source: about.source, isWhole, isAttacked, weight }
}

/** By the attack's goal, else by the user's task: calibration is to hold for attacks that are new. */
export const innerFoldOf = (about: Pick<About, 'attackFold' | 'taskFold' | 'suite' | 'task'>): number =>
  about.attackFold ?? taskFoldOf(about)
