import { type Part, fact, comment } from './module-parts.js'
import { labelledSteps } from './tools.js'
import type { Vocabulary } from './vocabulary.js'

/** The signature of steps, with the facts about a step that the policy reads and the fields that `parts` add. */
export function stepParagraphs(words: Vocabulary, parts: readonly Part[]): string[] {
  const text = parts.flatMap(({ paragraphs }) => paragraphs).join('\n')
  const wheres = [...words.wheres()]
  const asksValues = text.includes('s.silenced')
  const [asksRecipient, asksEvidence] = [
    text.includes('s.recipient'),
    text.includes('s.evidence') || asksValues,
  ]
  const reported = [
    ...(asksRecipient ? ['recipient: lone Recipient -- who gets it; none: not known'] : []),
    ...(wheres.length > 0
      ? ['mayHold: set Where -- what its arguments say, or may say where they are not known']
      : []),
    ...(wheres.length > 0 ? ['holds: set Where -- what its arguments are known to say'] : []),
    ...(asksEvidence ? ['evidence: one Evidence -- whether sensitive data is in its arguments'] : []),
    ...(asksValues ? ['silenced: set Label -- what is known not to be in its arguments'] : []),
  ]
  const fields = [
    'tool: lone Tool -- none: the session has ended before',
    'over: lone Step -- the latest step when its result came, well or not; none: it is still out, or never came',
    'capability: lone Capability',
    'confidentiality: lone Confidentiality -- of what it returns; none: nothing of note',
    'trust: lone Trust',
    'reversibility: lone Reversibility',
    'tags: set Tag',
    ...reported,
    ...parts.flatMap((part) => part.fields ?? []),
  ]
  return [
    ...(wheres.length > 0
      ? [
          [
            '-- what policies ask of arguments; the expressions are not looked into: each may hold or not',
            'abstract sig Where {}',
            ...wheres.map(([expression, id]) => `one sig ${id} extends Where {} ${comment(expression)}`),
          ].join('\n'),
        ]
      : []),
    ...(asksRecipient ? ['abstract sig Recipient {}\none sig Inside, Outside extends Recipient {}'] : []),
    ...(asksEvidence
      ? ['abstract sig Evidence {}\none sig Present, Absent, Unknown extends Evidence {}']
      : []),
    `-- steps in the order in which they ran\nsig Step {\n${declared(fields)}\n}\nsig Well in Step {} -- steps that completed without error\nfun back: Step -> Step { Well <: over }`,
    fact([
      'all s: Step | no s.tool implies no s.next.tool and no s.over',
      'all s: Step | s.over in s + s.nexts and (some s.over implies some s.over.tool)',
      'all s: Well | some s.over',
      ...(asksValues
        ? [
            'all s: Step | s.silenced & Confidentiality = (s.evidence = Absent implies Sensitive + Credentials else none)',
            'all s: Step | s.silenced in Confidentiality + Untrusted',
          ]
        : []),
      ...(wheres.length > 0 ? ['all s: Step | s.holds in s.mayHold'] : []),
    ]),
    labelledSteps(words),
  ]
}

/** One line per field, with commas before the comments. */
const declared = (fields: readonly string[]): string =>
  fields
    .map((field, i) => {
      const [declaration = '', ...why] = field.split(' -- ')
      const comma = i === fields.length - 1 ? '' : ','
      return `  ${declaration}${comma}${why.length === 0 ? '' : ` -- ${why.join(' -- ')}`}`
    })
    .join('\n')
