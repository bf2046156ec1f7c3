import type { EventOf } from '@plimsoll/contracts'
import type { Rules } from '../rules.js'
import type { Reading, Readings } from './spec-rule.js'

type Proposal = EventOf<'step.proposed'>

/** Those of the policy's tags that a step has: the catalogue's, and what is claimed. */
export function tagsOf({ tool, labels }: Pick<Proposal, 'tool' | 'labels'>, rules: Rules): number {
  let tags = rules.tool(tool).tags
  if (labels?.tags) for (const tag of labels.tags) tags |= rules.memory.tagBits.get(tag) ?? 0
  return tags
}

/** What the policy's expressions make of the arguments that are told; undefined where none is, or nothing is asked. */
export function readingsOf({ tool, arguments: args }: Proposal, rules: Rules): Readings | undefined {
  if (args === undefined) return undefined
  const { expressions } = rules.tool(tool).memory
  if (expressions.length === 0) return undefined
  const readings: (number | Reading)[] = []
  for (const { number, read } of expressions) readings.push(number, read(args))
  return readings
}
