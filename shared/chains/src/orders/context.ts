/**
 * The last states of a session as one number: digits in base S + 1, the latest state the lowest digit, no digit 0. So every suffix of a
 * context is a remainder of it, and the empty context is 0.
 */
export interface Contexts {
  /** The context after one more state, cut to the order. */
  after(context: number, state: number): number
  /** The last `length` states of a context. */
  suffix(context: number, length: number): number
  lengthOf(context: number): number
}

export function createContexts(states: number, order: number): Contexts {
  const base = states + 1
  const powers = Array.from({ length: order + 1 }, (_, length) => base ** length)
  const suffix = (context: number, length: number): number => context % (powers[length] ?? 1)
  return {
    suffix,
    after: (context, state) => suffix(context, order - 1) * base + state + 1,
    lengthOf: (context) => powers.findIndex((power) => context < power),
  }
}
