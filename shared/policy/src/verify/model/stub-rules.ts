import type { Policy } from '@plimsoll/contracts'
import type { Expression, Reading, Rules, ToolRule } from '@plimsoll/engine'
import { type NumberedExpression, numberPolicy } from '../../specs/numbering.js'

/**
 * `rules` whose expressions read what the model says of them instead of real arguments: a predicate by its text, a number as 0 and values
 * as none. So what sums up or tells values apart never speaks, which lets more runs through, never fewer.
 *
 * @param isNamed whether some spec of the whole policy names a tool, of which `rules` may have a part alone
 */
export function withStubs(rules: Rules, policy: Policy, isNamed: (tool: string) => boolean): Rules {
  const byNumber = new Map([...numberPolicy(policy).expressions.values()].map((each) => [each.number, each]))
  const stubbed = new Map<string, ToolRule>()
  return {
    ...rules,
    tool: (name) => {
      const known = stubbed.get(name)
      if (known) return known
      const rule = rules.tool(name)
      const expressions = rule.memory.expressions.map(({ number }) => stubOf(number, byNumber.get(number)))
      const made = { ...rule, isNamed: isNamed(name), memory: { ...rule.memory, expressions } }
      stubbed.set(name, made)
      return made
    },
  }
}

function stubOf(number: number, expression: NumberedExpression | undefined): Expression {
  if (expression?.wanted === 'number') return { number, read: () => 0 }
  if (expression?.wanted === 'values') return { number, read: () => [] }
  return { number, read: (args) => (args[expression?.text ?? ''] as Reading | undefined) ?? null }
}
