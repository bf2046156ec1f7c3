import type { Ranking } from './judged.js'
import type { SessionScores } from './scores.js'

/** A way to score sessions; sessions go by their place in the corpus. */
export interface Method {
  readonly name: string
  /** Whether it has scores of a session; of all where it is left out. Its figures are of those alone. */
  covers?(session: number): boolean
  /** Fits all that it fits to the training sessions: it sees nothing of the others. */
  fit(training: readonly number[]): Fitted
}

export interface Fitted {
  /** Scores of any session. */
  score(session: number): SessionScores
  /**
   * Scores of a training session by models that were not fitted to it, where the method has them: thresholds are chosen by these.
   * Else those of `score`.
   */
  scoreTraining?(session: number): SessionScores
  /** What a session is taken for that is scored, and so its threshold: as declared where it is left out. */
  categoryOf?(session: number): string
  /** Thresholds that come with it: no others are chosen then. */
  readonly thresholds?: Readonly<Record<Ranking, readonly NamedThreshold[]>>
}

/** A threshold as the report calls it, by the category that a session declares. */
export interface NamedThreshold {
  readonly name: string
  readonly of: (category: string) => number
}
