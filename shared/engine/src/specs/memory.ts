import { type StepLabels, joinLabels } from '../labels/safety-state.js'
import {
  type Counter,
  type Creditable,
  type Update,
  type UpdateRule,
  type FlowLabels,
  type FlowRule,
  type Memory,
  type MemoryRules,
  type SpecRule,
  type StepFacts,
  type ToolMemory,
  NO_CREDITS,
  NO_MEMORY,
  WHOLENESS,
  matchesPattern,
  readingOf,
} from '../spec-rule.js'
import type { Call } from '../state/session.js'
import { type SessionTime, addTo, hasSpan, keepValues, stampNext, stampNow } from './counters.js'
import { OVERDUE_REPORTED, STUCK, amountOf, isValues } from './matching.js'

type Stamp = typeof stampNext

/**
 * Applies an update of a step to `memory`: `after`, `before` and `requires` stamp it; `from` opens what is between, `to` ends it; `flow`
 * adds labels, `declassifies` clears one (`leave` says what stays); `opens` creates an obligation, `pays` ends it; the rest count.
 *
 * @param facts of the step; undefined if only its completion is known
 */
export function perform(
  memory: number[],
  { spec, kind, from }: Update,
  facts: StepFacts | undefined,
  moment: SessionTime,
  stamp: Stamp,
): void {
  const { after, before, requires, between, flow, followedBy, atMost, sum, distinct, fleet } = spec
  if (kind === 'after' && after) memory[after.cell] = stamp(spec, after, moment)
  else if (kind === 'before' && before) memory[before.cell] = stamp(spec, before, moment)
  else if (kind === 'requires' && requires) memory[requires.cell] = stamp(spec, requires, moment)
  else if (kind === 'from' && between) memory[between.cell] = 1
  else if (kind === 'to' && between) memory[between.cell] = 0
  else if (kind === 'declassifies' && flow) memory[flow.cell] = (memory[flow.cell] ?? 0) & ~from
  else if (kind === 'pays' && followedBy) settle(memory, followedBy.cell)
  else if (kind === 'opens' && followedBy) memory[followedBy.cell] ||= stamp(spec, followedBy, moment)
  else if (kind === 'fleet' && fleet) memory[fleet.cell] = moment.time
  else if (kind === 'atMost' && atMost) addTo(memory, spec, atMost, moment, 1)
  else if (!facts) return
  else if (kind === 'flow' && flow) addFlowData(memory, spec, flow, facts, moment, stamp)
  else if (kind === 'sum' && sum) addTo(memory, spec, sum, moment, amountOf(asked(facts, sum)) ?? 0)
  else if (kind === 'distinct' && distinct) {
    const values = asked(facts, distinct)
    if (isValues(values)) keepValues(memory, spec, distinct, moment, values)
  }
}

const asked = ({ readings }: StepFacts, { of }: Counter) => readingOf(readings, of)

function addFlowData(
  memory: number[],
  spec: SpecRule,
  flow: FlowRule,
  facts: StepFacts,
  moment: SessionTime,
  stamp: Stamp,
): void {
  memory[flow.cell] = (memory[flow.cell] ?? 0) | flowBitsOf(flow.labels, facts)
  if (hasSpan(flow)) memory[flow.cell + 1] = stamp(spec, flow, moment)
}

/** The labels of the step that `from` names, as bits. */
export function flowBitsOf(labels: FlowLabels, { labels: { exposure, untrusted }, tags }: StepFacts): number {
  let bits =
    labels.always | (labels.exposures[exposure] ?? 0) | (untrusted ? labels.untrusted : labels.trusted)
  for (const [bit, mask] of labels.tags.entries()) if ((tags >> bit) & 1) bits |= mask
  return bits & labels.matched
}

/** Applies a declassifier to a label that was there `before`. */
export function keepAfterDeclassification(
  memory: number[],
  before: readonly number[],
  { spec, from, to }: Update,
): void {
  const cell = spec.flow?.cell ?? 0
  if (((before[cell] ?? 0) & from) !== 0) memory[cell] = (memory[cell] ?? 0) | to
}

function settle(memory: number[], cell: number): void {
  memory[cell] = 0
  memory[cell + STUCK] = 0
  memory[cell + OVERDUE_REPORTED] = 0
}

/** The memory after a step ran, and the credits that its completion can earn. `calls` are those in flight before it. */
export interface Remembered {
  readonly memory: Memory
  readonly calls: readonly Call[]
  readonly credits: readonly number[]
}

export function rememberRun(
  { memory, calls }: Omit<Remembered, 'credits'>,
  { updates, creditables }: ToolMemory,
  facts: StepFacts,
  moment: SessionTime,
  { cells }: MemoryRules,
): Remembered {
  if (updates.length === 0 && creditables.length === 0) return { memory, calls, credits: NO_CREDITS }
  const credits = earned(memory, calls, creditables, facts)
  let changed: number[] | undefined
  let inFlight = calls
  for (const rule of updates) {
    if (!isMade(rule, facts)) continue
    changed ??= writable(memory, cells)
    perform(changed, rule.update, facts, moment, stampNext)
    inFlight = voided(inFlight, rule.voids)
  }
  return { memory: changed ?? memory, calls: inFlight, credits }
}

/** Credits count only for steps that a decision admitted; that its data is still to come counts for any step. */
export function withoutCredits(remembered: Remembered, { credits }: MemoryRules): Remembered {
  if (remembered.credits.length === 0) return remembered
  return { ...remembered, credits: remembered.credits.filter((n) => credits[n]?.kind === 'flow') }
}

/**
 * Labels that a completion raises can have updates that the step did not: `base` is the tool's known minimum. Steps are not counted
 * again.
 */
export function rememberRaised(
  { memory, calls }: Omit<Remembered, 'credits'>,
  { updates }: ToolMemory,
  base: Pick<StepFacts, 'labels' | 'tags'>,
  raised: Pick<StepFacts, 'labels' | 'tags'>,
  moment: SessionTime,
  { cells }: MemoryRules,
): Omit<Remembered, 'credits'> {
  const before = unread(base)
  const after = unread({ labels: joinLabels(base.labels, raised.labels), tags: base.tags | raised.tags })
  let changed: number[] | undefined
  let inFlight = calls
  for (const rule of updates) {
    if (!rule.isRaisable || !isMade(rule, after) || !doesMore(rule, before, after)) continue
    changed ??= writable(memory, cells)
    perform(changed, rule.update, after, moment, stampNow)
    inFlight = voided(inFlight, rule.voids)
  }
  return { memory: changed ?? memory, calls: inFlight }
}

/** A flow that has one label may get another. */
function doesMore(rule: UpdateRule, before: StepFacts, after: StepFacts): boolean {
  if (!isMade(rule, before)) return true
  const { kind, spec } = rule.update
  if (kind !== 'flow' || !spec.flow) return false
  return (flowBitsOf(spec.flow.labels, after) & ~flowBitsOf(spec.flow.labels, before)) !== 0
}

const unread = ({ labels, tags }: Pick<StepFacts, 'labels' | 'tags'>): StepFacts => ({
  labels,
  tags,
  effects: undefined,
  outside: undefined,
  readings: undefined,
})

const isMade = ({ pattern, unless }: Pick<UpdateRule, 'pattern' | 'unless'>, facts: StepFacts): boolean =>
  matchesPattern(pattern, facts) && !(unless && matchesPattern(unless, facts))

function earned(
  memory: Memory,
  calls: readonly Call[],
  creditables: readonly Creditable[],
  facts: StepFacts,
): readonly number[] {
  let credits: number[] | undefined
  for (const creditable of creditables) {
    if (!isWanted(memory, creditable.credit) || !isMade(creditable, facts)) continue
    if (isInFlight(calls, creditable.unlessInFlight)) continue
    credits ??= []
    credits.push(creditable.credit.number)
  }
  return credits ?? NO_CREDITS
}

const isInFlight = (calls: readonly Call[], number: number): boolean =>
  number >= 0 && calls.some((call) => call.status === 'open' && call.credits.includes(number))

/** Whether there is anything that the credit could apply to. */
function isWanted(memory: Memory, { kind, spec, from }: Update): boolean {
  if (kind === 'to') return (memory[spec.between?.cell ?? 0] ?? 0) !== 0
  if (kind === 'pays') return (memory[spec.followedBy?.cell ?? 0] ?? 0) !== 0
  return kind !== 'declassifies' || ((memory[spec.flow?.cell ?? 0] ?? 0) & from) !== 0
}

/** Calls in flight without the credits that the step cancels. */
function voided(calls: readonly Call[], gone: readonly number[]): readonly Call[] {
  const isHit = (call: Call) => call.status === 'open' && call.credits.some((n) => gone.includes(n))
  if (gone.length === 0 || !calls.some(isHit)) return calls
  return calls.map((call) =>
    call.status === 'open' ? { ...call, credits: call.credits.filter((n) => !gone.includes(n)) } : call,
  )
}

/** The memory after a call with `credits` completed with `ok`. */
export function rememberReturn(
  memory: Memory,
  credits: readonly number[],
  moment: SessionTime,
  rules: MemoryRules,
): Memory {
  if (credits.length === 0) return memory
  const changed = writable(memory, rules.cells)
  for (const number of credits) {
    const credit = rules.credits[number]
    if (credit) perform(changed, credit, undefined, moment, stampNow)
  }
  // Clears all labels before any is set, so that one declassifier's output is not another's input.
  for (const number of credits) {
    const credit = rules.credits[number]
    if (credit?.kind === 'declassifies') keepAfterDeclassification(changed, memory, credit)
  }
  return changed
}

/** The memory after a proposal was blocked for good: an obligation it would have paid can no longer be paid by it. */
export function rememberBlocked(
  memory: Memory,
  { creditables }: ToolMemory,
  facts: StepFacts,
  { cells }: MemoryRules,
): Memory {
  let changed: number[] | undefined
  for (const { credit, pattern } of creditables) {
    const { followedBy } = credit.spec
    if (credit.kind !== 'pays' || !followedBy || (memory[followedBy.cell] ?? 0) === 0) continue
    if (!matchesPattern(pattern, facts)) continue
    changed ??= writable(memory, cells)
    changed[followedBy.cell + STUCK] = 1
  }
  return changed ?? memory
}

/** The flows' labels for data that came from outside a step: all labels that they name, up to `exposure`. */
export function rememberInherited(
  memory: Memory,
  inherited: Inherited,
  moment: SessionTime,
  { cells, flows }: MemoryRules,
): Memory {
  let changed: number[] | undefined
  for (const spec of flows) {
    if (!spec.flow) continue
    const { labels, cell } = spec.flow
    const bits = inheritedBits(labels, inherited)
    if (bits === 0) continue
    changed ??= writable(memory, cells)
    changed[cell] = (changed[cell] ?? 0) | bits
    if (hasSpan(spec.flow)) changed[cell + 1] = stampNow(spec, spec.flow, moment)
  }
  return changed ?? memory
}

type Inherited = Pick<StepLabels, 'exposure' | 'untrusted'>

function inheritedBits({ untrusted, exposures, matched }: FlowLabels, inherited: Inherited): number {
  let bits = inherited.untrusted ? untrusted : 0
  for (let at = 1; at <= inherited.exposure; at++) bits |= exposures[at] ?? 0
  return bits & matched
}

/** Calls in flight after such data came: earlier calls cannot declassify it. */
export function voidedByInherited(
  calls: readonly Call[],
  inherited: Inherited,
  { credits }: MemoryRules,
): readonly Call[] {
  const gone = credits.filter(
    ({ kind, spec: { flow } }) =>
      kind === 'declassifies' && flow && inheritedBits(flow.labels, inherited) !== 0,
  )
  return voided(
    calls,
    gone.map(({ number }) => number),
  )
}

/** The memory of a session that moved from another policy: seeded from its record, and marked as not whole. */
export function seeded(labels: Inherited, moment: SessionTime, rules: MemoryRules): Memory {
  if (rules.cells === 0) return NO_MEMORY
  const memory = writable(NO_MEMORY, rules.cells)
  memory[0] = WHOLENESS.seeded
  return rememberInherited(memory, labels, moment, rules)
}

/** Declassifies for the flow of `spec`: nothing that was read so far counts for it. */
export function rememberDeclassified(memory: Memory, spec: SpecRule, { cells }: MemoryRules): Memory {
  if (!spec.flow || (memory[spec.flow.cell] ?? 0) === 0) return memory
  const changed = writable(memory, cells)
  changed[spec.flow.cell] = 0
  return changed
}

function writable(memory: Memory, cells: number): number[] {
  if (memory.length >= cells) return memory.slice()
  const grown = memory.slice()
  while (grown.length < cells) grown.push(0)
  return grown
}
