import type { ChainTables } from '@plimsoll/contracts'
import { groupedBy } from '../evaluation/grouped.js'
import { rounded } from '../fit/tables.js'
import {
  chooseFromPeaks,
  SAFE_SESSIONS_MIN,
  THRESHOLD_RULES,
  type ChosenThreshold,
  type Peak,
} from '../fit/thresholds.js'
import type { FlowModel } from './fit-flow.js'
import type { TrainingSession } from './training.js'

/** Thresholds by kind, and what they did to the sessions that they were chosen on. */
export type FlowThresholds = Readonly<Record<keyof ChainTables['thresholds'], readonly ChosenThreshold[]>>

/**
 * Thresholds of all sessions and of each category with enough safe ones, by the budgets of THRESHOLD_RULES. A session counts with the
 * highest score that inner models gave it which had not seen its attack, up to and including the violating step.
 */
export function chooseFlowThresholds(
  model: FlowModel,
  sessions: readonly TrainingSession[],
): { readonly aggregate: FlowThresholds; readonly of: (category: string) => FlowThresholds } {
  const peaked = sessions.map((session) => peaksOf(model, session))
  const aggregate = chosenFrom(peaked)
  const own = new Map<string, FlowThresholds>()
  for (const [category, members] of groupedBy(peaked, (session) => session.category))
    if (members.filter(({ unsafe }) => !unsafe).length >= SAFE_SESSIONS_MIN)
      own.set(category, chosenFrom(members))
  return { aggregate, of: (category) => own.get(category) ?? aggregate }
}

interface Peaked {
  readonly category: string
  readonly unsafe: boolean
  readonly hazard: number
  readonly forward: number
}

function peaksOf(model: FlowModel, { n, category, truth }: TrainingSession): Peaked {
  const { p1, p5 } = model.scoreTraining(n, category)
  const end = (truth.violatedAt ?? p1.length - 1) + 1
  const highest = (values: Float64Array) => values.subarray(0, end).reduce((a, b) => Math.max(a, b), 0)
  return { category, unsafe: truth.unsafe, hazard: highest(p1), forward: highest(p5) }
}

function chosenFrom(sessions: readonly Peaked[]): FlowThresholds {
  const choose = (kind: 'hazard' | 'forward') => {
    const peaks = sessions
      .map((session): Peak => {
        const score = rounded(session[kind])
        return { score, safe: session.unsafe ? 0 : 1, unsafe: session.unsafe ? 1 : 0 }
      })
      .sort((a, b) => b.score - a.score)
    const scores = peaks.map(({ score }) => score)
    return chooseFromPeaks(tied(peaks), scores, THRESHOLD_RULES[kind])
  }
  return { hazard: choose('hazard'), forward: choose('forward') }
}

/** Peaks of one score as one: a threshold cannot part them. */
function tied(peaks: readonly Peak[]): Peak[] {
  const groups = groupedBy(peaks, ({ score }) => score)
  const sum = (members: readonly Peak[], kind: 'safe' | 'unsafe') =>
    members.reduce((total, peak) => total + peak[kind], 0)
  return Array.from(groups, ([score, members]) => ({
    score,
    safe: sum(members, 'safe'),
    unsafe: sum(members, 'unsafe'),
  }))
}
