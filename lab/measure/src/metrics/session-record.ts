import { type Verdict, VERDICTS } from '@plimsoll/contracts'
import type { About, Corpus, RecordedTruth, SessionScores } from '@plimsoll/fit'

/** The values that a method gives a step. */
export const SCORE_KINDS = ['p1', 'p5', 'p5After'] as const
export type ScoreKind = (typeof SCORE_KINDS)[number]

/** The highest scores of a session so far, a value a step, up to and including the violating one, or all. */
export type RunningScores = Readonly<Record<ScoreKind, Float64Array>>

/**
 * - p1: of the steps proposed so far, this one too.
 * - p5: the same, and p5After of the results before this step: what was known by then.
 * - p5After: of the results so far, this step's too; what the violating step returned says nothing of what was to come.
 */
export function runningScores(scores: SessionScores, violatedAt: number | undefined): RunningScores {
  const steps = (violatedAt ?? scores.p1.length - 1) + 1
  const running = {
    p1: new Float64Array(steps),
    p5: new Float64Array(steps),
    p5After: new Float64Array(steps),
  }
  let [p1, p5, p5After] = [0, 0, 0]
  for (let i = 0; i < steps; i++) {
    running.p1[i] = p1 = Math.max(p1, scores.p1[i] ?? 0)
    running.p5[i] = p5 = Math.max(p5, scores.p5[i] ?? 0, p5After)
    if (i !== violatedAt) p5After = Math.max(p5After, scores.p5After[i] ?? 0)
    running.p5After[i] = p5After
  }
  return running
}

/** What the engine answered to a step under a policy. */
export interface StepVerdict {
  readonly verdict: Verdict
  /** The verdict sources that block the step or need its approval. */
  readonly by: readonly string[]
}

/** The verdicts of a session up to and including the violating step, or all. */
export interface SessionVerdict {
  readonly severest: Verdict
  readonly by: readonly string[]
}

export function sessionVerdict(
  steps: readonly StepVerdict[],
  violatedAt: number | undefined,
): SessionVerdict {
  const counted = steps.slice(0, violatedAt === undefined ? undefined : violatedAt + 1)
  const severest = Math.max(0, ...counted.map(({ verdict }) => VERDICTS.indexOf(verdict)))
  return {
    severest: VERDICTS[severest] ?? 'allow',
    by: [...new Set(counted.flatMap(({ by }) => by))],
  }
}

/** A scored session, as plain data that may come from another thread: all that figures of sessions are made of. */
export interface SessionRecord {
  readonly source: string
  /** Undefined where the suites of the source are its tasks. */
  readonly suite: string | undefined
  readonly task: string
  readonly unsafe: boolean
  /** Undefined where the session is safe, or labelled as a whole. */
  readonly violatedAt: number | undefined
  /** See `RecordedTruth`. */
  readonly instructedAt: number | null | undefined
  readonly running: RunningScores
  readonly verdict?: SessionVerdict
}

export function sessionRecord(
  { isOneSuite, taskOf }: Pick<Corpus, 'isOneSuite' | 'taskOf'>,
  { truth, about }: { readonly truth: RecordedTruth; readonly about: About },
  scores: SessionScores,
  verdicts: readonly StepVerdict[] | undefined,
): SessionRecord {
  const { unsafe, violatedAt, instructedAt } = truth
  return {
    source: about.source,
    suite: isOneSuite(about.source) ? undefined : about.suite,
    task: taskOf(about),
    unsafe,
    violatedAt,
    instructedAt,
    running: runningScores(scores, violatedAt),
    ...(verdicts && { verdict: sessionVerdict(verdicts, violatedAt) }),
  }
}
