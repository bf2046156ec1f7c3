import { predicate, union } from './module-parts.js'
import { type StepPattern, matchesTool } from '@plimsoll/contracts'
import type { Vocabulary } from './vocabulary.js'

/**
 * How a pattern treats unknown facts of a step: `ran` as a match (to the session's disadvantage), `wentWell` as no match (in its favour).
 * Source: docs/reference/policy-semantics.md.
 */
export type Reading = 'ran' | 'wentWell'

/** A predicate of the module that holds for the steps that `pattern` matches. */
export const patternPredicate = (
  name: string,
  pattern: StepPattern,
  reading: Reading,
  words: Vocabulary,
): string => predicate(name, clausesOf(pattern, reading, words))

function clausesOf(pattern: StepPattern, reading: Reading, words: Vocabulary): string[] {
  const { tools, capability, confidentiality, trust, reversibility, tags, recipient, where } = pattern
  const clauses = [
    ...(tools ? [toolClause(tools, words)] : []),
    ...(capability ? [oneOf('s.capability', capability.map(words.word))] : []),
    ...(confidentiality ? [oneOf('s.confidentiality', confidentiality.map(words.word))] : []),
    ...(trust ? [oneOf('s.trust', trust.map(words.word))] : []),
    ...(reversibility ? [oneOf('s.reversibility', reversibility.map(words.word))] : []),
    ...(tags ? [oneOf('s.tags', tags.map(words.tag))] : []),
  ]
  if (clauses.length === 0) clauses.push('some s.tool')
  if (recipient) clauses.push(recipientClause(recipient, reading))
  for (const asked of [effectText(pattern), where])
    if (asked !== undefined)
      clauses.push(`${words.where(asked)} in s.${reading === 'ran' ? 'mayHold' : 'holds'}`)
  return clauses
}

/** What a pattern asks of effects; each such text may hold or not, as what is asked of arguments. */
const effectText = ({ act, object, reach }: StepPattern): string | undefined =>
  act || object || reach
    ? `an effect: ${[act ?? 'any act', object ?? 'any object', reach ?? 'any reach'].map(String).join('; ')}`
    : undefined

function oneOf(of: string, atoms: readonly string[]): string {
  const [only, ...others] = atoms
  if (only === undefined) return 'some none'
  return others.length === 0 ? `${only} in ${of}` : `some ${of} & (${union(atoms)})`
}

/** A comment with the pattern's tools, if they contain wildcards. */
function toolClause(tools: readonly string[], words: Vocabulary): string {
  const clause = oneOf('s.tool', toolsOf(tools, words))
  return tools.some((tool) => tool.includes('*')) ? `${clause} -- ${tools.join(', ')}` : clause
}

const toolsOf = (patterns: readonly string[], { tools }: Vocabulary): string[] =>
  tools.filter(({ name }) => patterns.some((pattern) => matchesTool(pattern, name))).map(({ id }) => id)

function recipientClause(recipient: 'internal' | 'external', reading: Reading): string {
  const [side, other] = recipient === 'external' ? ['Outside', 'Inside'] : ['Inside', 'Outside']
  return reading === 'ran' ? `s.recipient != ${other}` : `s.recipient = ${side}`
}
