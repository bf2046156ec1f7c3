import { SHADOW_SCHEMA, type Decision, type ShadowRecord, type Versions } from '@plimsoll/contracts'
import type { Shadow } from '@plimsoll/engine'

/** One step as the bundle of its session and a candidate's judge it. */
export interface Comparison {
  /** The one that was given. */
  readonly decision: Decision
  readonly bundles: { readonly active: string; readonly candidate: string }
  readonly shadow: Shadow
}

export const bundlesOf = (active: Versions, candidate: Versions): Comparison['bundles'] => ({
  active: active.bundle,
  candidate: candidate.bundle,
})

/** Whether somebody who compares the two has anything to look at. */
export const isDifferent = ({ active, candidate }: Shadow): boolean =>
  active.verdict !== candidate.verdict || active.band !== candidate.band

export function recordOf({ decision, bundles, shadow }: Comparison): ShadowRecord {
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
    active: { bundle: bundles.active, ...shadow.active },
    candidate: { bundle: bundles.candidate, ...shadow.candidate },
  }
}
