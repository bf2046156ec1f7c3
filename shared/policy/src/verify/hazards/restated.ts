import {
  type SpecOf,
  type ConditionsOf,
  type Policy,
  type Run,
  type Spec,
  type StepPattern,
  PATTERN_MEMBERS,
} from '@plimsoll/contracts'
import { allHandled } from '../../specs/conditions.js'
import { patternOf } from '../../specs/walk.js'

/** A pattern as a text that is the same for equal patterns: without windows, lists in one order. */
export const normalised = (pattern: StepPattern): string =>
  JSON.stringify(
    PATTERN_MEMBERS.toSorted().flatMap((member) => {
      const value = pattern[member]
      if (value === undefined) return []
      return [[member, Array.isArray(value) ? [...new Set<string>(value)].toSorted() : value]]
    }),
  )

const textOf = (patterns: readonly StepPattern[]): string => JSON.stringify(patterns.map(normalised))

/** Ids of the specs whose patterns are those of the run: then it only says what they do. */
export function restatedBy(run: Run, { specs }: Policy): string[] {
  const text = textOf('endsAfter' in run ? [run.endsAfter, run.without] : run.sequence)
  return specs
    .filter((spec) => preventedBy(spec).some((patterns) => textOf(patterns) === text))
    .map(({ id }) => id)
}

/** The sequences of patterns that a restricting spec prevents. */
function preventedBy(spec: Spec): StepPattern[][] {
  if (spec.tier === 'allowlist') return []
  const own = patternOf(spec)
  if (spec.tier === 'mustlist') {
    const { followedBy, requires: _, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
    allHandled(others)
    return followedBy ? [[own, followedBy.step]] : []
  }
  const { after, between, flow, before: _, ...counters }: ConditionsOf<SpecOf<'blocklist'>> = spec
  const { atMost: _atMost, sum: _sum, distinct: _distinct, fleet: _fleet, ...others } = counters
  allHandled(others)
  const last = flow && Object.keys(own).length === 0 ? flow.to : own
  const first = [after, between?.from, flow?.from].filter((pattern) => pattern !== undefined)
  return first.length > 0 ? first.map((pattern) => [pattern, last]) : [[own]]
}
