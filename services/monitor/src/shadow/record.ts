import {
  SHADOW_REASONS_MAX,
  SHADOW_SCHEMA,
  type Decision,
  type ShadowRecord,
  type SomeVersions,
  type Versions,
} from '@plimsoll/contracts'
import { changeOf, severity, type Shadow, type ShadowJudgement, type StepChange } from '@plimsoll/engine'

/** One step as the rules of its session and a candidate's judge it. */
export interface Comparison {
  /** The one that was given. */
  readonly decision: Decision
  /** The candidate's name; see `nameOf`. */
  readonly name: string
  readonly active: Versions
  readonly candidate: Versions
  readonly shadow: Shadow
  /** What becomes of the step by the candidate, where its verdict is another. */
  readonly change: StepChange | undefined
}

/** What a candidate goes by: its version, or those of its documents, bundle first. */
export const nameOf = ({ bundle, policy, catalogue }: SomeVersions): string =>
  [bundle, policy, catalogue].filter((version) => version !== undefined).join('+')

export const changeIn = ({ active, candidate }: Shadow): StepChange | undefined => changeOf(active, candidate)

/** Whether somebody who compares the two has anything to look at. */
export const isDifferent = ({ active, candidate }: Shadow): boolean =>
  active.verdict !== candidate.verdict || active.band !== candidate.band

export function recordOf({ decision, active, candidate, shadow, change }: Comparison): ShadowRecord {
  const { id, sessionId, tenant, tool, step, time, verdict } = decision
  return {
    schema: SHADOW_SCHEMA,
    decisionId: id,
    sessionId,
    tenant,
    tool,
    step,
    time,
    decided: verdict,
    active: { ...active, ...sideOf(shadow.active) },
    candidate: { ...candidate, ...sideOf(shadow.candidate) },
    causes: [...(change?.causes ?? [])].slice(0, SHADOW_REASONS_MAX),
  }
}

/** Messages are left out: they are the documents' own, and requirements with them. */
function sideOf({ reasons, ...judgement }: ShadowJudgement) {
  const told = reasons.map(({ source, code, verdict, liftedBy }) => ({
    source,
    code,
    verdict,
    ...(liftedBy !== undefined && { liftedBy }),
  }))
  told.sort((a, b) => severity(b.verdict) - severity(a.verdict))
  return { ...judgement, reasons: told.slice(0, SHADOW_REASONS_MAX) }
}
