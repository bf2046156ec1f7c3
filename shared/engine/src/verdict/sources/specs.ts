import type { Reason, Verdict } from '@plimsoll/contracts'
import type { SpecRule } from '../../spec-rule.js'
import { type SpecStep, matchesSpec } from '../../specs/matching.js'
import { severity } from '../severity.js'

/**
 * Maximum reasons of one tier on one step, because a decision must stay bounded. Beyond it, only more severe reasons than all before are
 * added.
 */
const REASONS_PER_TIER_MAX = 32

export function addTier(
  specs: readonly SpecRule[],
  step: SpecStep,
  reasons: Reason[],
  verdictOn: (spec: SpecRule, step: SpecStep) => Verdict | undefined,
): void {
  if (specs.length === 0) return
  const end = reasons.length + REASONS_PER_TIER_MAX
  let worst: Verdict = 'allow'
  for (const spec of specs) {
    const verdict = verdictOn(spec, step)
    if (!verdict) continue
    const isWorse = severity(verdict) > severity(worst)
    if (reasons.length >= end && !isWorse) continue
    reasons.push(specReason(spec, verdict))
    if (isWorse) worst = verdict
    if (worst === 'block' && reasons.length >= end) return
  }
}

function specReason({ source, id, message, requirements }: SpecRule, verdict: Verdict): Reason {
  const reason: Reason = { source, code: id, verdict, message }
  return requirements ? { ...reason, requirements: [...requirements] } : reason
}

export const specVerdict = (spec: SpecRule, step: SpecStep): Verdict | undefined =>
  matchesSpec(spec, step) ? spec.verdict : undefined
