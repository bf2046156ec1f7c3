import { EXPOSURES } from '../labels/words.js'
import type { FlowLabels, Memory, MemoryRules, Obligation, SpecRule } from '../spec-rule.js'
import { OVERDUE_REPORTED } from './matching.js'

/** An open obligation of a mustlist spec. */
export interface OwedObligation {
  readonly spec: SpecRule
  readonly obligation: Obligation
  /** The time of the step that opened it, milliseconds since 1970; with a window of steps, its number. */
  readonly since: number
  /** The first moment at which it is overdue, milliseconds since 1970; undefined without a time limit. */
  readonly overdueMs: number | undefined
  /** Whether an alert was sent that it is overdue. */
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
      // The end of the window is still in time.
      overdueMs: ms === undefined ? undefined : since + ms + 1,
      isReported: memory[cell + OVERDUE_REPORTED] === 1,
    })
  }
  return owed ?? NOTHING
}

const NOTHING: readonly OwedObligation[] = Object.freeze([])

/** `memory` after the alert about an overdue obligation. */
export function rememberOverdueReported(memory: Memory, { obligation: { cell } }: OwedObligation): Memory {
  const changed = memory.slice()
  changed[cell + OVERDUE_REPORTED] = 1
  return changed
}

/** The data that a flow spec has seen enter a session. */
export interface Carried {
  readonly spec: string
  /** The labels that it matches; empty if it names none and anything counts. */
  readonly labels: readonly string[]
}

/** The flow specs that have seen data enter, in the order of the policy. A flow with a window may no longer count it. */
export function carriedIn(memory: Memory, { flows, tagBits }: MemoryRules): readonly Carried[] {
  return flows.flatMap(({ id, flow }) => {
    const bits = flow ? (memory[flow.cell] ?? 0) & flow.labels.matched : 0
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
