import type { Chain } from '@plimsoll/engine'

/**
 * The chain of a category that was found in a task's text: whoever wrote that text can make a session stricter and never less strict than
 * the aggregate. Of each number the worse of the two; where it goes on from here, as the category says.
 */
export const guardedChain = (own: Chain, aggregate: Chain): Chain => ({
  ...own,
  hazard: higher(own.hazard, aggregate.hazard),
  probability: higher(own.probability, aggregate.probability),
  survived: higher(own.survived, aggregate.survived),
  ahead: higher(own.ahead, aggregate.ahead),
  hazardThresholds: lower(own.hazardThresholds, aggregate.hazardThresholds),
  forwardThresholds: lower(own.forwardThresholds, aggregate.forwardThresholds),
})

const higher = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.max(value, b[n] ?? value))

const lower = (a: Float64Array, b: Float64Array): Float64Array =>
  a.map((value, n) => Math.min(value, b[n] ?? value))
