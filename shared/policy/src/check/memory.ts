import type { Spec } from '@plimsoll/contracts'
import { CELLS_MAX } from '@plimsoll/engine'
import type { Problem } from '../source/problem.js'
import { cellsNeeded } from '../specs/layout.js'

/** A policy of which a session would have to remember too much: from which spec on. */
export function memoryProblems(specs: readonly Spec[]): Problem[] {
  // One cell is the memory's own.
  let used = 1
  let first: number | undefined
  for (const [i, spec] of specs.entries()) {
    used += cellsNeeded(spec)
    if (used > CELLS_MAX) first ??= i
  }
  if (first === undefined) return []
  const message = `from here on a session would have to remember ${used} numbers, and it keeps at most ${CELLS_MAX}: use fewer conditions on time, counts and flows, counts per session instead of in windows, or a smaller \`distinct\``
  return [{ path: ['specs', first], message }]
}
