import { fact, union } from './module-parts.js'
import type { Declassifier, SpecOf } from '@plimsoll/contracts'
import { type Vocabulary, CONFIDENTIALITY_ATOMS, TRUST_ATOMS } from './vocabulary.js'
import type { Counts } from './windows.js'
import { type Draft, type Writing } from './writing.js'

type Flow = NonNullable<SpecOf<'blocklist'>['flow']>

/** Clauses that say when `flow` matches a step `s`. A field of each step has the labels named by `from` that the session carries. */
export function flowClauses(flow: Flow, draft: Draft, writing: Writing, counts: Counts): string[] {
  const { words, windows } = writing
  const { within, ...pattern } = flow.from
  const from = draft.pattern('flow_from', pattern, 'ran')
  const to = draft.pattern('flow_to', flow.to, 'ran')
  const brought = flowLabelsOf(flow, draft, words)
  const carries = draft.name('carries')
  draft.field(`${carries}: set Label -- what of \`flow.from\` the session carries when the step is proposed`)
  draft.paragraph(carrying({ flow, carries, from, brought: brought.set, draft, writing }))
  const matched = `s.${carries} & (${union(brought.atoms)})`
  const clauses = [`${to}[s]`, `some ${flow.by === 'values' ? `(${matched}) - s.silenced` : matched}`]
  if (within) clauses.push(`some e: ${windows.ran(within, counts)} | ${from}[e]`)
  return clauses
}

/** The labels that `from` names, and those of them that a matching step `s` adds. */
function flowLabelsOf(
  { from }: Flow,
  draft: Draft,
  words: Vocabulary,
): { readonly atoms: readonly string[]; readonly set: string } {
  const confidentiality = (from.confidentiality ?? []).map(words.word)
  const trust = (from.trust ?? []).map(words.word)
  const tags = (from.tags ?? []).map(words.tag)
  const atoms = [...confidentiality, ...trust, ...tags]
  if (atoms.length === 0) {
    const mark = draft.name('mark')
    draft.paragraph(`one sig ${mark} extends Label {}`)
    return { atoms: [mark], set: mark }
  }
  const parts = [
    ...(confidentiality.length > 0 ? [`s.confidentiality & (${union(confidentiality)})`] : []),
    ...(trust.length > 0 ? [`s.trust & (${union(trust)})`] : []),
    ...(tags.length > 0 ? [`s.tags & (${union(tags)})`] : []),
  ]
  return { atoms, set: parts.map((part) => `(${part})`).join(' + ') }
}

interface Carrying {
  readonly flow: Flow
  readonly carries: string
  readonly from: string
  /** The labels that a step `s` adds if it matches `from`. */
  readonly brought: string
  readonly draft: Draft
  readonly writing: Writing
}

/** How the carried labels change from step to step: the step adds its labels, then declassifiers that completed without error apply. */
function carrying({ flow, carries, from, brought, draft, writing }: Carrying): string {
  const { policy, words } = writing
  const named = (policy.declassifiers ?? []).filter(({ id }) => flow.declassifiers?.includes(id))
  const lowering = named.map((declassifier) => ({
    declassifier,
    when: loweredPredicate(declassifier, from, draft),
    label: labelOf(declassifier.from, words),
  }))
  const all = `s.${carries} + (${from}[s] implies ${brought} else none)`
  if (lowering.length === 0)
    return fact([`no first.${carries}`, `all s: Step, t: s.next | t.${carries} = ${all}`])
  const transitions = draft.name('moves')
  const nothing = draft.name('nothing')
  const goes = draft.name('goes')
  draft.paragraph(`one sig ${nothing} extends Label {}`)
  const arrows = lowering.map(({ declassifier: { to }, when, label }) => {
    const target = to === undefined ? nothing : labelOf(to, words)
    return `(${when}[s] implies ${label} -> ${target} else none -> none)`
  })
  draft.paragraph(
    `-- labels changed by the declassifiers that completed without error after this step, and before the next\nfun ${transitions} [s: Step]: Label -> Label {\n  ${arrows.join('\n  + ')}\n}`,
  )
  draft.field(
    `${goes}: Label -> lone Label -- where each label goes then: free where one declassifier follows another`,
  )
  return fact([
    `no first.${carries}`,
    `all s: Step, l: Label | some l.(${transitions}[s]) implies (one l.(s.${goes}) and l.(s.${goes}) in l.^(${transitions}[s])) else l.(s.${goes}) = l`,
    `all s: Step, t: s.next | t.${carries} = (${all}).(s.${goes}) - ${nothing}`,
  ])
}

/** A clause: a call of `declassifier` completed without error after step `s` and before the next, and covers steps that match `from`. */
function loweredPredicate({ id, step }: Declassifier, from: string, draft: Draft): string {
  const pattern = draft.pattern(`declassifier_${id}`, step, 'wentWell')
  const name = draft.name(`declassified_${id}`)
  draft.paragraph(
    [
      `pred ${name} [s: Step] {`,
      `  some k: back.s {`,
      `    ${pattern}[k]`,
      `    no f: (k + k.nexts) & (s + s.prevs) | ${from}[f] -- ran after the latest`,
      `    all f: k.prevs | ${from}[f] implies some f.over & k.prevs -- and while none was in flight`,
      '  }',
      '}',
    ].join('\n'),
  )
  return name
}

/** A declassifier names a confidentiality, `untrusted` (or `trusted`), or a tag. */
function labelOf(label: string, words: Vocabulary): string {
  return label in CONFIDENTIALITY_ATOMS || label in TRUST_ATOMS ? words.word(label) : words.tag(label)
}
