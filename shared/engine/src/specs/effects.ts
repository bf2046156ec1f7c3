import { isReaching, type stampNext, type Moment } from './clock.js'
import { addTo, keepValues } from './counters.js'
import { STUCK, TOLD } from './must.js'
import { readingOf, type StepFacts } from './pattern.js'
import { amountOf, isValues } from './speaks.js'
import type { Counter, Effect, FlowLabels, FlowRule, SpecRule } from './spec-rule.js'

type Stamp = typeof stampNext

/**
 * Does to `memory` what a step does to what a spec remembers: `after`, `before` and `requires` write down when; `from` opens what is between, `to` ends
 * it; `flow` brings labels, `declassifies` takes one away (`leave` says what stays of it); `opens` begins to owe, `pays` ends it; the rest count.
 *
 * @param facts what is known of the step; undefined where only that it came back
 */
export function perform(
  memory: number[],
  { spec, kind, from }: Effect,
  facts: StepFacts | undefined,
  moment: Moment,
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
  else if (kind === 'flow' && flow) bring(memory, spec, flow, facts, moment, stamp)
  else if (kind === 'sum' && sum) addTo(memory, spec, sum, moment, amountOf(asked(facts, sum)) ?? 0)
  else if (kind === 'distinct' && distinct) {
    const values = asked(facts, distinct)
    if (isValues(values)) keepValues(memory, spec, distinct, moment, values)
  }
}

const asked = ({ readings }: StepFacts, { of }: Counter) => readingOf(readings, of)

function bring(
  memory: number[],
  spec: SpecRule,
  flow: FlowRule,
  facts: StepFacts,
  moment: Moment,
  stamp: Stamp,
): void {
  memory[flow.cell] = (memory[flow.cell] ?? 0) | broughtBy(flow.labels, facts)
  if (isReaching(flow)) memory[flow.cell + 1] = stamp(spec, flow, moment)
}

/** Bits of those labels that `from` names which the step has. */
export function broughtBy(labels: FlowLabels, { labels: { exposure, untrusted }, tags }: StepFacts): number {
  let bits = labels.mark | (labels.exposures[exposure] ?? 0) | (untrusted ? labels.untrusted : labels.trusted)
  for (const [bit, mask] of labels.tags.entries()) if ((tags >> bit) & 1) bits |= mask
  return bits & labels.spoken
}

/** What a declassifier leaves in `memory` of a label that there was `before`. */
export function leave(memory: number[], before: readonly number[], { spec, from, to }: Effect): void {
  const cell = spec.flow?.cell ?? 0
  if (((before[cell] ?? 0) & from) !== 0) memory[cell] = (memory[cell] ?? 0) | to
}

function settle(memory: number[], cell: number): void {
  memory[cell] = 0
  memory[cell + STUCK] = 0
  memory[cell + TOLD] = 0
}
