import { EXPOSURES } from '../words.js'
import type { Memory } from './remember.js'
import type { FlowLabels, MemoryRules } from './spec-rule.js'

/** What a flow spec has seen come into a session. */
export interface Carried {
  readonly spec: string
  /** Those labels of which it speaks; none where it names none and anything counts. */
  readonly labels: readonly string[]
}

/** The flow specs that have seen anything come in, in the order of the policy. A flow with a window may count it no longer. */
export function carriedIn(memory: Memory, { flows, tagBits }: MemoryRules): readonly Carried[] {
  return flows.flatMap(({ id, flow }) => {
    const bits = flow ? (memory[flow.cell] ?? 0) & flow.labels.spoken : 0
    return flow && bits !== 0 ? [{ spec: id, labels: namesOf(bits, flow.labels, [...tagBits.keys()]) }] : []
  })
}

function namesOf(
  bits: number,
  { exposures, trusted, untrusted, tags }: FlowLabels,
  tagNames: readonly string[],
): string[] {
  const named: readonly (readonly [bit: number | undefined, name: string])[] = [
    ...EXPOSURES.map((name, i) => [exposures[i], name] as const),
    [trusted, 'trusted'],
    [untrusted, 'untrusted'],
    ...tagNames.map((name, i) => [tags[i], name] as const),
  ]
  return named.flatMap(([bit = 0, name]) => ((bits & bit) !== 0 ? [name] : []))
}
