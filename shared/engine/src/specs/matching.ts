import type { EventOf, Evidence, Signals, Verdict } from '@plimsoll/contracts'
import { SENSITIVE_EXPOSURE } from '../labels/safety-state.js'
import { EXPOSURES } from '../labels/words.js'
import type { Matches } from '../provenance/matches.js'
import type { Rules, ToolRule } from '../rules.js'
import {
  type Counter,
  type FlowRule,
  type Obligation,
  type Reading,
  type Readings,
  type SpecRule,
  type StepFacts,
  matchesPattern,
  readingOf,
} from '../spec-rule.js'
import { untrustedEvidenceOf } from '../state/evidence.js'
import { type SessionTime, countedIn, distinctWith, hasSpan, isWithin, nextNumber } from './counters.js'

/** Everything a spec can match on when a step is proposed. */
export interface SpecStep {
  readonly memory: readonly number[]
  readonly moment: SessionTime
  readonly facts: StepFacts
  /** Whether sensitive data that was read is in the step. */
  readonly evidence: Evidence
  /** Where the step's fingerprints were seen before, and its signals; undefined without a report. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  /** Readings of the fleet-wide counters, by name. */
  readonly fleet: Readonly<Record<string, number>> | undefined
}

/** Whether a spec of blocklist, allowlist or confirmation matches a step: all its conditions hold. */
export function matchesSpec(spec: SpecRule, step: SpecStep): boolean {
  const { memory, moment, facts } = step
  if (spec.own && !matchesPattern(spec.own, facts)) return false
  if (spec.after && !isWithin(spec, spec.after, memory[spec.after.cell] ?? 0, moment)) return false
  if (spec.before && isWithin(spec, spec.before, memory[spec.before.cell] ?? 0, moment)) return false
  if (spec.between && (memory[spec.between.cell] ?? 0) === 0) return false
  if (spec.atMost && countedIn(memory, spec, spec.atMost, moment) + 1 <= spec.atMost.max) return false
  if (spec.sum && !exceeds(spec, spec.sum, step)) return false
  if (spec.distinct && !hasTooMany(spec, spec.distinct, step)) return false
  if (spec.fleet && (step.fleet?.[spec.fleet.reading] ?? Infinity) < spec.fleet.sessions) return false
  return !spec.flow || flows(spec, spec.flow, step)
}

/** A number below 0 is not subtracted. */
export const amountOf = (reading: unknown): number | undefined =>
  typeof reading === 'number' && Number.isFinite(reading) ? Math.max(reading, 0) : undefined

function exceeds(spec: SpecRule, counter: Counter, { memory, moment, facts }: SpecStep): boolean {
  const amount = amountOf(readingOf(facts.readings, counter.of))
  return amount === undefined || countedIn(memory, spec, counter, moment) + amount > counter.max
}

function hasTooMany(spec: SpecRule, counter: Counter, { memory, moment, facts }: SpecStep): boolean {
  const values = readingOf(facts.readings, counter.of)
  return !isValues(values) || distinctWith(memory, spec, counter, moment, values) > counter.max
}

export const isValues = (reading: unknown): reading is readonly number[] => Array.isArray(reading)

function flows(spec: SpecRule, flow: FlowRule, step: SpecStep): boolean {
  const { memory, moment, facts } = step
  if (!flow.to || !matchesPattern(flow.to, facts)) return false
  const carried = (memory[flow.cell] ?? 0) & flow.labels.matched
  if (carried === 0) return false
  if (hasSpan(flow) && !isWithin(spec, flow, memory[flow.cell + 1] ?? 0, moment)) return false
  return !flow.byValues || mayCarry(flow, carried, step)
}

/** A label carries nothing if fingerprints show that no data with it is in the step; other labels have no fingerprints. */
function mayCarry({ labels }: FlowRule, carried: number, { evidence, matches, signals }: SpecStep): boolean {
  const sensitive = (labels.exposures[SENSITIVE_EXPOSURE] ?? 0) | (labels.exposures[CREDENTIALS] ?? 0)
  const seen =
    (evidence === 'absent' ? sensitive : 0) |
    (untrustedEvidenceOf(matches, signals) === 'absent' ? labels.untrusted : 0)
  return (carried & ~seen) !== 0
}

const CREDENTIALS = EXPOSURES.indexOf('credentials')

/** The verdict of a mustlist spec on a step, or undefined. */
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

/** Whether the proposed step would leave no room to pay what is owed since `since`. */
function passesDeadline(
  spec: SpecRule,
  { steps, ms }: Obligation,
  since: number,
  moment: SessionTime,
): boolean {
  if (ms !== undefined) return moment.time > since + ms
  return steps !== undefined && nextNumber(spec, moment) >= since + steps
}

/** Further cells of an obligation. */
export const STUCK = 1
export const OVERDUE_REPORTED = 2
export const OBLIGATION_CELLS = 3

type Proposal = EventOf<'step.proposed'>

/** The policy's tags of a step: the catalogue's, and claimed ones. */
export function tagsOf(
  { labels }: Pick<Proposal, 'labels'>,
  { tags: known }: Pick<ToolRule, 'tags'>,
  { memory: { tagBits } }: Pick<Rules, 'memory'>,
): number {
  let tags = known
  if (labels?.tags) for (const tag of labels.tags) tags |= tagBits.get(tag) ?? 0
  return tags
}

/** The values of the policy's expressions on the reported arguments; undefined if there are none. */
export function readingsOf(
  { arguments: args }: Pick<Proposal, 'arguments'>,
  { memory: { expressions } }: Pick<ToolRule, 'memory'>,
): Readings | undefined {
  if (args === undefined) return undefined
  if (expressions.length === 0) return undefined
  const readings: (number | Reading)[] = []
  for (const { number, read } of expressions) readings.push(number, read(args))
  return readings
}
