import { type Per, type Spec } from '@plimsoll/contracts'
import type { Problem } from '../source/problem.js'

/** Whole numbers that the record of one session keeps for the specs of its policy, together. */
export const CELLS_MAX = 2048

/** A policy of which a session would have to remember too much: which spec is the one too many, and which need the most. */
export function memoryProblems(specs: readonly Spec[]): Problem[] {
  let used = 0
  let first: number | undefined
  for (const [i, spec] of specs.entries()) {
    used += cellsOf(spec)
    if (used > CELLS_MAX) first ??= i
  }
  if (first === undefined) return []
  const message = `from here on a session would have to remember ${used} numbers for the specs with a memory, and it keeps at most ${CELLS_MAX}: take specs out, or count per session instead of in windows`
  return [{ path: ['specs', first], message }]
}

/** At most so many cells does a spec take: slices of windows, values with their slices, labels with what was last seen of them. */
export function cellsOf(spec: Spec): number {
  if (spec.tier === 'mustlist') return spec.followedBy ? 4 : 2
  const { after, before, between } = spec
  const order = (after ? 2 : 0) + (before ? 2 : 0) + (between ? 2 : 0)
  if (spec.tier === 'allowlist') return order
  const { atMost, sum, distinct, flow, fleet } = spec
  return (
    order +
    (atMost ? slicesOf(atMost.per) : 0) +
    (sum ? slicesOf(sum.per) : 0) +
    (distinct ? 2 * distinct.max : 0) +
    (fleet ? 1 : 0) +
    (flow ? 2 + labelsOf(flow.from) : 0)
  )
}

const slicesOf = (per: Per): number => (per === 'session' ? 1 : 10)

const labelsOf = ({
  confidentiality = [],
  trust = [],
  tags = [],
}: {
  readonly confidentiality?: readonly string[] | undefined
  readonly trust?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}): number => confidentiality.length + trust.length + tags.length
