import { VERDICTS, type Verdict } from '@plimsoll/contracts'
import type { RecordedTruth } from '../traces/recording.js'
import { createCauseTally } from './cause-tally.js'
import { VERDICT_CHANGES } from '@plimsoll/engine'
import { createComparedCount } from './compared.js'
import type { DecisionDiff } from './diff.js'
import { createExamples } from './examples.js'
import { createUnlabelledTally } from './unlabelled-tally.js'
import { sessionDiff, type JudgedStep, type SessionDiff, type Worst } from './session-diff.js'

/** Adds up what two policies make of the same sessions, in memory that does not grow with them. */
export interface DiffTally {
  /** @param truth what really happened, where somebody knows */
  session(id: string, steps: readonly JudgedStep[], truth: RecordedTruth): void
  readonly sessions: number
  readonly steps: number
  figures(): DecisionDiff
}

/** @param examplesMax of each way in which something makes a difference */
export function createDiffTally(examplesMax: number): DiffTally {
  const verdicts = each(VERDICTS, () => each(VERDICTS, () => 0))
  const changes = each(VERDICT_CHANGES, () => ({ steps: 0, sessions: 0 }))
  const changed = { steps: 0, sessions: 0 }
  const causes = createCauseTally()
  const examples = createExamples(examplesMax)
  const truths = createTruthTally()
  let sessions = 0
  let steps = 0
  let otherReasons = 0
  const unlabelled = createUnlabelledTally()
  return {
    session: (id, judged, truth) => {
      const diff = sessionDiff(judged, truth)
      sessions++
      steps += judged.length
      otherReasons += diff.otherReasons
      for (const { old, candidate } of judged) verdicts[old.verdict][candidate.verdict]++
      unlabelled.add(judged)
      truths.add(diff)
      if (diff.changed.length === 0) return
      changed.sessions++
      changed.steps += diff.changed.length
      for (const { kind } of diff.changed) changes[kind].steps++
      for (const kind of diff.kinds) changes[kind].sessions++
      causes.add(diff)
      examples.add(id, diff)
    },
    get sessions() {
      return sessions
    },
    get steps() {
      return steps
    },
    figures: () => ({
      sessions,
      steps,
      changed,
      otherReasons,
      unlabelled: unlabelled.figures(),
      verdicts,
      changes,
      ...causes.figures(),
      ...truths.figures(),
      examples: examples.list(),
    }),
  }
}

/** What the change would mean for honest work, and for harm. */
function createTruthTally() {
  const safe = { stopped: createComparedCount(), disturbed: createComparedCount() }
  const violated = { stopped: createComparedCount(), caught: createComparedCount() }
  const sessions = { safe: 0, violated: 0, unknown: 0 }
  const questions = { old: 0, candidate: 0 }
  return {
    add: ({ truth, old, candidate }: SessionDiff): void => {
      sessions[truth]++
      if (truth === 'safe') {
        safe.stopped.add(isBlock(old.verdict), isBlock(candidate.verdict))
        safe.disturbed.add(isStop(old.verdict), isStop(candidate.verdict))
        questions.old += old.questions
        questions.candidate += candidate.questions
      }
      if (truth === 'violated') {
        const inTime = (is: (verdict: Verdict) => boolean, worst: Worst) => is(worst.inTime)
        violated.stopped.add(inTime(isBlock, old), inTime(isBlock, candidate))
        violated.caught.add(inTime(isStop, old), inTime(isStop, candidate))
      }
    },
    figures: () => ({
      safe: {
        sessions: sessions.safe,
        stopped: safe.stopped.figures(),
        disturbed: safe.disturbed.figures(),
        questions: {
          old: questions.old / Math.max(1, sessions.safe),
          candidate: questions.candidate / Math.max(1, sessions.safe),
        },
      },
      violated: {
        sessions: sessions.violated,
        stopped: violated.stopped.figures(),
        caught: violated.caught.figures(),
      },
      unknown: sessions.unknown,
    }),
  }
}

const isBlock = (verdict: Verdict): boolean => verdict === 'block'
const isStop = (verdict: Verdict): boolean => verdict === 'block' || verdict === 'confirm'

const each = <K extends string, V>(names: readonly K[], make: () => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, make()])) as Record<K, V>
