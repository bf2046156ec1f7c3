import assert from 'node:assert/strict'
import { stepsOf } from '../../support/work/steps.js'

const TIMES_LARGER = 4
/** Somewhat more than in proportion, as a sort takes; sixteen times would be the square. */
const RATIO_MAX = 6
/** For what is done once. */
const STEPS_ONCE = 5_000

export type Make = (units: number) => string

export const repeated =
  (part: string): Make =>
  (units) =>
    part.repeat(Math.ceil(units / part.length)).slice(0, units)

/**
 * What is wrong where `read` takes more steps than in proportion to its text; undefined if nothing is. A reader may do more from a certain
 * length on, so that only what grows too fast twice in a row is wrong.
 */
export function nonlinear(read: (text: string) => unknown, make: Make, units: number): string | undefined {
  // What is kept from one text to the next is made now.
  read(make(units))
  const found = [stepsOfText(read, make(units))]
  for (let length = units, i = 0; i < 2; i++) {
    length *= TIMES_LARGER
    const [few = 0] = found.slice(-1)
    const many = stepsOfText(read, make(length))
    if (many <= few * RATIO_MAX + STEPS_ONCE) return undefined
    found.push(many)
  }
  return `${found.join(', then ')} steps`
}

const stepsOfText = (read: (text: string) => unknown, text: string) => stepsOf(() => read(text))

/** Asserts that `read` is linear in each of `texts`, which are made of at least `units`. */
export function assertLinear(
  read: (text: string) => unknown,
  texts: Readonly<Record<string, Make>>,
  units: number,
): void {
  const slow: string[] = []
  for (const [name, make] of Object.entries(texts)) {
    const problem = nonlinear(read, make, units)
    if (problem !== undefined) slow.push(`${name}: ${problem}`)
  }
  assert.deepEqual(slow, [])
}
