import { OVERDUE_REPORTED } from './must.js'
import type { Memory } from './remember.js'
import type { MemoryRules, Obligation, SpecRule } from './spec-rule.js'

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
