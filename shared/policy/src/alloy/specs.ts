import type { Spec, SpecOf, Verdict } from '@plimsoll/contracts'
import { conditionClauses } from './conditions.js'
import type { Effect, Lift } from './enforcement.js'
import { predicate, type Part } from './module-parts.js'
import { comment } from './names.js'
import { obligationOf, requiresClause } from './obligations.js'
import { createDraft, type Draft, type Writing } from './writing.js'

export interface WrittenSpec {
  readonly part: Part
  readonly effects: readonly Effect[]
  readonly lifts: readonly Lift[]
}

/** What `spec` adds to the module, and what it does to a step. */
export function writeSpec(spec: Spec, writing: Writing): WrittenSpec {
  const draft = createDraft(spec.id, writing)
  draft.paragraph(comment(headOf(spec)))
  const own = draft.pattern('own', ownPattern(spec), spec.tier === 'allowlist' ? 'wentWell' : 'ran')
  if (spec.tier === 'mustlist')
    return { effects: mustEffects(spec, own, draft, writing), lifts: [], part: draft.part() }
  const speaks = draft.name(spec.tier === 'allowlist' ? 'lifts' : 'speaks')
  draft.paragraph(predicate(speaks, [`${own}[s]`, ...conditionClauses(spec, own, draft, writing)]))
  const [part, when] = [draft.part(), `${speaks}[s]`]
  if (spec.tier === 'allowlist') return { part, effects: [], lifts: [{ when, sources: spec.lifts }] }
  if (spec.tier === 'blocklist')
    return { part, effects: [{ verdict: 'block', source: 'blocklist', when }], lifts: [] }
  const asks = spec.verdict !== 'warn'
  return { part, effects: asks ? [{ verdict: 'confirm', source: 'confirmation', when }] : [], lifts: [] }
}

function mustEffects(spec: SpecOf<'mustlist'>, own: string, draft: Draft, writing: Writing): Effect[] {
  const { verdict = 'block', followedBy } = spec
  const whens: (readonly [Verdict, string])[] = []
  const early = requiresClause(spec, draft, writing)
  if (early !== undefined) {
    const name = draft.name('early')
    draft.paragraph(predicate(name, [`${own}[s]`, early]))
    whens.push([verdict, `${name}[s]`])
  }
  const { late, exit } = obligationOf(spec, own, draft, writing) ?? {}
  if (late !== undefined && exit === undefined) whens.push([verdict, late])
  if (late !== undefined && exit !== undefined) {
    whens.push([verdict, `${late} and not ${exit}`])
    // Never more than the spec's own verdict.
    if (followedBy?.exit !== 'allow' && verdict !== 'warn') whens.push(['confirm', `${late} and ${exit}`])
  }
  return whens.flatMap(([of, when]) =>
    of === 'block' || of === 'confirm' ? [{ verdict: of, source: 'mustlist' as const, when }] : [],
  )
}

function headOf(spec: Spec): string {
  const served = spec.requirements ? ` (${spec.requirements.join(', ')})` : ''
  return `${spec.tier} \`${spec.id}\`${served}${spec.message === undefined ? '' : `: ${spec.message}`}`
}

function ownPattern(spec: Spec) {
  const { tools, capability, confidentiality, trust, reversibility, tags, recipient, where } = spec
  return { tools, capability, confidentiality, trust, reversibility, tags, recipient, where }
}
