import {
  type Carried,
  type Rules,
  type SessionState,
  WHOLENESS,
  carriedIn,
  owedObligations,
} from '@plimsoll/engine'

/** What the specs of its policy remember of a session, for those who look at it. */
export interface PolicyStatus {
  /** `cold`: it moved to another policy and had no event since; `seeded`: it moved, and its earlier steps are known in part. */
  readonly memory: keyof typeof WHOLENESS
  readonly owed: readonly OpenObligation[]
  readonly flows: readonly Carried[]
}

export interface OpenObligation {
  readonly spec: string
  /** Milliseconds since 1970; undefined where it is owed by a number of steps, or until the session ends. */
  readonly overdueMs: number | undefined
  /** The number of steps within which it is owed; undefined where it is owed by time, or until the session ends. */
  readonly withinSteps: number | undefined
}

/** @param rules those that the session is pinned to */
export function policyStatus({ memory }: Pick<SessionState, 'memory'>, rules: Rules): PolicyStatus {
  const knows = Object.entries(WHOLENESS).find(([, code]) => code === (memory[0] ?? WHOLENESS.whole))?.[0]
  return {
    memory: (knows ?? 'cold') as PolicyStatus['memory'],
    owed: owedObligations(memory, rules.memory).map(({ spec, overdueMs, obligation: { steps } }) => ({
      spec: spec.id,
      overdueMs,
      withinSteps: steps,
    })),
    flows: carriedIn(memory, rules.memory),
  }
}
