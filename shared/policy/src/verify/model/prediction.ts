import { type Bundle, type ChainTables, type Policy, type Verdict, VERDICTS } from '@plimsoll/contracts'
import type { Expression, Reading, Rules, ToolRule } from '@plimsoll/engine'
import { type NumberedExpression, numberPolicy } from '../../specs/numbering.js'
import { remembering } from './transitions.js'

/**
 * Prediction restricts no step, or restricts every step as harshly as the policy configures. The same goes for integrity and for
 * irreversible steps that the task does not ask for: texts and tasks are not modelled.
 */
export type Prediction = 'mild' | 'harshest'

const tablesOf = (p: number): ChainTables => ({
  traces: 0,
  transitions: 0,
  violations: 0,
  hazard: row(p),
  forward: [row(0), row(p)],
  stepsToViolation: [null, null, null, null, null],
  counts: [],
  thresholds: { hazard: [1, 1, 1], forward: [1, 1, 1] },
})
const row = (p: number): number[] => Array.from({ length: 5 }, () => p)

/** A bundle whose chain gives every step the same risk. */
export function constantBundle(prediction: Prediction): Bundle {
  return {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: prediction,
    space: 'paper5',
    target: 'observed',
    horizon: 1,
    horizonMax: 1,
    aggregate: tablesOf(prediction === 'mild' ? 0 : 1),
    categories: {},
    origin: {},
  }
}

/** `policy` without the sources that depend on texts: the model cannot know whether they restrict a step, so no proof may rely on them. */
export function atItsMildest({
  integrity: _integrity,
  irreversible: _irreversible,
  ...policy
}: Policy): Policy {
  return policy
}

/** `policy` in which prediction gives the harshest verdict that it, or a source that depends on texts, can give. */
export function atItsHarshest(whole: Policy): Policy {
  const { integrity, irreversible = 'allow' } = whole
  const policy = atItsMildest(whole)
  const hazard = harshest([...policy.hazard, irreversible, ...Object.values(integrity ?? {})])
  const verdict = harshest(policy.forward.verdicts)
  return {
    ...policy,
    hazard: [hazard, hazard, hazard],
    forward: { ...policy.forward, verdicts: [verdict, verdict, verdict] },
  }
}

const harshest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, each) => (VERDICTS.indexOf(each) > VERDICTS.indexOf(worst) ? each : worst), 'allow')

/**
 * `rules` whose expressions read the model's answers instead of arguments: predicates by their text, numbers as 0, values as none. So sums
 * and distinct counts never match, which allows more runs, never fewer.
 *
 * @param isNamed whether some spec of the whole policy names a tool; `rules` may have only a part of its specs
 */
export function withStubs(rules: Rules, policy: Policy, isNamed: (tool: string) => boolean): Rules {
  const byNumber = new Map([...numberPolicy(policy).expressions.values()].map((each) => [each.number, each]))
  const stubbed = (name: string): ToolRule => {
    const rule = rules.tool(name)
    const expressions = rule.memory.expressions.map(({ number }) => stubOf(number, byNumber.get(number)))
    return { ...rule, isNamed: isNamed(name), memory: { ...rule.memory, expressions } }
  }
  return { ...rules, tool: remembering((name: string) => name, stubbed) }
}

function stubOf(number: number, expression: NumberedExpression | undefined): Expression {
  if (expression?.wanted === 'number') return { number, read: () => 0 }
  if (expression?.wanted === 'values') return { number, read: () => [] }
  return { number, read: (args) => (args[expression?.text ?? ''] as Reading | undefined) ?? null }
}
