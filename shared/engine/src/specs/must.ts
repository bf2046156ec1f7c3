import type { Verdict } from '@plimsoll/contracts'
import { type SessionTime, isWithin, nextNumber } from './counters.js'
import type { SpecStep } from './speaks.js'
import { type Obligation, type SpecRule, matchesPattern } from './spec-rule.js'

/** What a spec of the mustlist says on a step: its verdict, or nothing. */
export function demands(spec: SpecRule, step: SpecStep): Verdict | undefined {
  if (spec.requires) {
    if (spec.own && !matchesPattern(spec.own, step.facts)) return undefined
    const stamp = step.memory[spec.requires.cell] ?? 0
    return isWithin(spec, spec.requires, stamp, step.moment) ? undefined : spec.verdict
  }
  return spec.followedBy && demandsPayment(spec, spec.followedBy, step)
}

function demandsPayment(
  spec: SpecRule,
  owed: Obligation,
  { memory, moment, facts }: SpecStep,
): Verdict | undefined {
  const since = memory[owed.cell] ?? 0
  if (since === 0 || !passesDeadline(spec, owed, since, moment)) return undefined
  if (owed.pays && matchesPattern(owed.pays, facts)) return undefined
  if ((memory[owed.cell + STUCK] ?? 0) === 0 || owed.exit === 'block') return spec.verdict
  const eased = owed.exit === 'allow' ? 'warn' : 'confirm'
  return spec.verdict === 'warn' ? 'warn' : eased
}

/** Whether the proposed step would leave no room for what is owed since `since`. */
function passesDeadline(
  spec: SpecRule,
  { steps, ms }: Obligation,
  since: number,
  moment: SessionTime,
): boolean {
  if (ms !== undefined) return moment.time > since + ms
  return steps !== undefined && nextNumber(spec, moment) >= since + steps
}

/** Cells of an obligation beside the first. */
export const STUCK = 1
export const OVERDUE_REPORTED = 2
export const OBLIGATION_CELLS = 3
