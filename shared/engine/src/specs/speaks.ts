import type { Evidence, Signals } from '@plimsoll/contracts'
import { untrustedEvidenceOf } from '../evidence.js'
import type { Matches } from '../matches.js'
import { SENSITIVE_EXPOSURE } from '../safety-state.js'
import { EXPOSURES } from '../words.js'
import { type SessionTime, countedIn, distinctWith, isReaching, isWithin } from './counters.js'
import {
  type Counter,
  type FlowRule,
  type SpecRule,
  type StepFacts,
  matchesPattern,
  readingOf,
} from './spec-rule.js'

/** Everything a spec may look at when a step is proposed. */
export interface SpecStep {
  readonly memory: readonly number[]
  readonly moment: SessionTime
  readonly facts: StepFacts
  /** Whether something sensitive that was read is in the step. */
  readonly evidence: Evidence
  /** Where the step's fingerprints were seen before, and what is told of its arguments; undefined where nothing is. */
  readonly matches: Matches | undefined
  readonly signals: Signals | undefined
  /** What the counters of the fleet say, by the names of their readings. */
  readonly fleet: Readonly<Record<string, number>> | undefined
}

/** Whether a spec of blocklist, allowlist or confirmation speaks on a step: all its conditions hold. */
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

/** A number below 0 takes nothing away. */
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
  const carried = (memory[flow.cell] ?? 0) & flow.labels.spoken
  if (carried === 0) return false
  if (isReaching(flow) && !isWithin(spec, flow, memory[flow.cell + 1] ?? 0, moment)) return false
  return !flow.byValues || mayCarry(flow, carried, step)
}

/** Labels of which fingerprints tell that nothing with them is in the step carry nothing; of other labels they tell nothing. */
function mayCarry({ labels }: FlowRule, carried: number, { evidence, matches, signals }: SpecStep): boolean {
  const sensitive = (labels.exposures[SENSITIVE_EXPOSURE] ?? 0) | (labels.exposures[CREDENTIALS] ?? 0)
  const seen =
    (evidence === 'absent' ? sensitive : 0) |
    (untrustedEvidenceOf(matches, signals) === 'absent' ? labels.untrusted : 0)
  return (carried & ~seen) !== 0
}

const CREDENTIALS = EXPOSURES.indexOf('credentials')
