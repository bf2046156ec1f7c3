import { PATTERN_MEMBERS, type Per, type Spec } from '@plimsoll/contracts'
import type { Problem } from '../source/problem.js'

/** What one spec says that cannot be meant. */
export function specProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  return [...patternProblems(spec, path), ...mustlistProblems(spec, path), ...countProblems(spec, path)]
}

function patternProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  const says = PATTERN_MEMBERS.some((member) => spec[member] !== undefined) || ('flow' in spec && spec.flow)
  if (says) return []
  const message =
    'says not which steps it speaks on: give `tools` or another member of a pattern, `tools: ["*"]` for every step'
  return [{ path, message }]
}

function mustlistProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  if (spec.tier !== 'mustlist') return []
  const { requires, followedBy } = spec
  if (requires && followedBy)
    return [{ path, message: 'has both `requires` and `followedBy`: make two specs of it, an id each' }]
  if (requires || followedBy) return []
  const message =
    'says not what must be done: give `requires` (before these steps) or `followedBy` (after them), or move it to another tier'
  return [{ path, message }]
}

/** Counted are the eighth of the window that is now and the eight before it. */
const SLICES = 8

function countProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  if (!('atMost' in spec) || !spec.atMost) return []
  const { times, per } = spec.atMost
  const steps = stepsOf(per)
  const most = (SLICES + 1) * Math.ceil((steps ?? 0) / SLICES)
  if (steps === undefined || times < most) return []
  const message = `never speaks: no window of ${steps} steps has more than ${times} of them; lower \`times\` or widen \`per\``
  return [{ path: [...path, 'atMost', 'times'], message }]
}

const stepsOf = (per: Per): number | undefined =>
  per !== 'session' && 'steps' in per ? per.steps : undefined
