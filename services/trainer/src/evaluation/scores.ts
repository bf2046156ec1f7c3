/** What a method says of one session: a value a step each. NaN where it says nothing. */
export interface SessionScores {
  /** P(this step is the violation), as decided at its proposal. */
  readonly p1: Float64Array
  /** P(this step or one of the next four is), as decided at its proposal. */
  readonly p5: Float64Array
  /** P(one of the next five is), once this step's result is in. */
  readonly p5After: Float64Array
}

export const emptyScores = (steps: number): SessionScores => ({
  p1: new Float64Array(steps),
  p5: new Float64Array(steps),
  p5After: new Float64Array(steps),
})
