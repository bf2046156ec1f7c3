import { TASK } from '../labels/safety-state.js'
import {
  type Sources,
  CELL,
  LISTED_MAX,
  LOOKED_UP_MAX,
  NAMED_MAX,
  groupsOf,
  lookUpSources,
} from './sources.js'

const NAMED = new Uint8Array(LOOKED_UP_MAX)

/**
 * Whether the task names each of `objects`, given by fingerprints of its names. A task whose list is full may name what its list leaves out.
 * O(fingerprints + sources).
 */
export const namesEach = (sources: Sources, objects: readonly (readonly string[])[]): boolean =>
  areNamed(sources, objects).every((isNamed) => isNamed)

/** Of each of `objects`, whether the task names it; see `namesEach`. */
export function areNamed(sources: Sources, objects: readonly (readonly string[])[]): readonly boolean[] {
  if (objects.length === 0) return []
  if (areAllNamed(sources)) return objects.map(() => true)
  return objects.map((names) => {
    lookUpSources(sources, names, NAMED)
    return names.some((_, i) => ((NAMED[i] ?? 0) & TASK) !== 0)
  })
}

/**
 * Whether the user may have named more than is kept: the names of one text fill its list, which has them before its passages, or later
 * texts have pushed earlier ones out. Then anything may be named.
 */
export function areAllNamed(sources: Sources): boolean {
  let total = 0
  for (const { bits, cells } of groupsOf(sources)) {
    if ((bits & TASK) === 0) continue
    total += cells.length / CELL
    // A list without a passage has no room for one.
    if (cells.length >= LISTED_MAX * CELL && !hasPassage(cells)) return true
  }
  return total >= NAMED_MAX
}

/** Passages stand at the end. */
const hasPassage = (cells: string): boolean => cells.charAt(cells.length - CELL) === PASSAGE
const PASSAGE = 'g'
