import type { Reason } from '@plimsoll/contracts'
import type { ToolRule } from '../rules.js'
import { type SpecStep, demands, matchesSpec } from '../specs/matching.js'
import type { StepContext } from './context.js'
import { categoryReason } from './sources/category.js'
import { integrityReason } from './sources/integrity.js'
import { irreversibleReason } from './sources/irreversible.js'
import { lineReason } from './sources/line.js'
import { paymentReasons } from './sources/payment.js'
import { forwardReason, hazardReason } from './sources/prediction.js'
import { addTier, specVerdict } from './sources/specs.js'
import { stopReason } from './sources/stop.js'
import { unlabelledReason } from './sources/unlabelled.js'

/**
 * Every reason on the step, from the verdict sources in order: none sees another's. Reasons that the allowlist lifts are
 * marked so.
 */
export function judge(context: StepContext): Reason[] {
  const { rule, specs } = context
  const reasons: Reason[] = []
  add(reasons, stopReason(context))
  addTier(rule.blocklist, specs, reasons, specVerdict)
  addTier(rule.mustlist, specs, reasons, demands)
  add(reasons, lineReason(context))
  add(reasons, integrityReason(context))
  for (const reason of paymentReasons(context)) reasons.push(reason)
  add(reasons, irreversibleReason(context))
  add(reasons, hazardReason(context))
  add(reasons, forwardReason(context))
  addTier(rule.confirmation, specs, reasons, specVerdict)
  add(reasons, unlabelledReason(context))
  add(reasons, categoryReason(context))
  return reasons.length === 0 ? reasons : liftByAllowlist(reasons, rule, specs)
}

function add(reasons: Reason[], reason: Reason | undefined): void {
  if (reason) reasons.push(reason)
}

function liftByAllowlist(reasons: Reason[], { allowlist }: ToolRule, step: SpecStep): Reason[] {
  if (allowlist.length === 0) return reasons
  const lifters = allowlist.filter((spec) => matchesSpec(spec, step))
  return reasons.map((reason) => {
    if (reason.verdict === 'allow') return reason
    const lifter = lifters.find(({ lifts }) => (lifts as ReadonlySet<string>).has(reason.source))
    return lifter ? { ...reason, liftedBy: lifter.id } : reason
  })
}

/**
 * The calls in flight that a blocked proposal only has to wait for; undefined if something else also blocks it, or nothing it waits for
 * is in flight.
 */
export function waitForOf(reasons: readonly Reason[], context: StepContext): string[] | undefined {
  const calls = new Set<string>()
  for (const reason of reasons) {
    if (reason.verdict !== 'block' || reason.liftedBy !== undefined) continue
    const awaited = reason.source === 'mustlist' ? inFlightFor(reason.code, context) : []
    if (awaited.length === 0) return undefined
    for (const callId of awaited) calls.add(callId)
  }
  return calls.size === 0 ? undefined : [...calls]
}

/** Calls that earn a credit for the spec `id` once they complete with `ok`. */
function inFlightFor(id: string, { state, rules }: StepContext): string[] {
  const callIds: string[] = []
  for (const call of state.calls)
    if (call.status === 'open' && call.credits.some((n) => rules.memory.credits[n]?.spec.id === id))
      callIds.push(call.callId)
  return callIds
}
