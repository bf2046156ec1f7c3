import { EXPOSURES } from '../labels/words.js'
import type { FlowLabels, Memory, MemoryRules, Obligation, SpecRule } from '../spec-rule.js'
import { OVERDUE_REPORTED } from './matching.js'

/** What a spec of the mustlist is owed in a session. */
export interface OwedObligation {
  readonly spec: SpecRule
  readonly obligation: Obligation
  /** The time of the step that opened it, milliseconds since 1970; where its window is of steps, the number of that step. */
  readonly since: number
  /** The first moment at which it is overdue, milliseconds since 1970; undefined where no time is set. */
  readonly overdueMs: number | undefined
  /** Whether somebody was told that it is overdue. */
  readonly isReported: boolean
}

/** In the order of the policy. */
export function owedObligations(memory: Memory, { obligations }: MemoryRules): readonly OwedObligation[] {
  if (obligations.length === 0 || memory.length === 0) return NOTHING
  let owed: OwedObligation[] | undefined
  for (const spec of obligations) {
    const obligation = spec.followedBy
    const since = (obligation && memory[obligation.cell]) ?? 0
    if (!obligation || since === 0) continue
    const { ms, cell } = obligation
    owed ??= []
    owed.push({
      spec,
      obligation,
      since,
      // At the end of its window it is not late yet.
      overdueMs: ms === undefined ? undefined : since + ms + 1,
      isReported: memory[cell + OVERDUE_REPORTED] === 1,
    })
  }
  return owed ?? NOTHING
}

const NOTHING: readonly OwedObligation[] = Object.freeze([])

/** `memory` once somebody was told that what is owed is overdue. */
export function rememberOverdueReported(memory: Memory, { obligation: { cell } }: OwedObligation): Memory {
  const changed = memory.slice()
  changed[cell + OVERDUE_REPORTED] = 1
  return changed
}

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
