import { type Part, predicate, fact, comment } from './module-parts.js'
import type { ConditionsOf, Spec, SpecOf, Tier, Verdict } from '@plimsoll/contracts'
import { allHandled } from '../specs/conditions.js'
import { patternOf } from '../specs/walk.js'
import type { Effect, Lift } from './enforcement.js'
import { flowClauses } from './flows.js'
import type { Reading } from './patterns.js'
import { type Draft, type Writing, createDraft, free } from './writing.js'

type Restricting = SpecOf<'blocklist'> | SpecOf<'confirmation'>

/** Clauses over a step `s` that say when the conditions of `spec` hold; `own` is the predicate of the spec's pattern. */
export function conditionClauses(
  spec: Restricting | SpecOf<'allowlist'>,
  own: string,
  draft: Draft,
  writing: Writing,
): string[] {
  const past = pastClauses(spec, draft, writing)
  return spec.tier === 'allowlist' ? past : [...past, ...countClauses(spec, own, draft, writing)]
}

/** `after`, `before`, `between`. In the allowlist, required steps count in favour of the session and forbidden steps against it. */
function pastClauses(spec: Restricting | SpecOf<'allowlist'>, draft: Draft, { windows }: Writing): string[] {
  const { counts } = spec
  const { after, before, between, ...others }: ConditionsOf<SpecOf<'allowlist'>> = spec
  allHandled(others)
  const [asked, forbidden]: readonly [Reading, Reading] =
    spec.tier === 'allowlist' ? ['wentWell', 'ran'] : ['ran', 'wentWell']
  const clauses: string[] = []
  if (after) {
    const { within, ...pattern } = after
    clauses.push(`some e: ${windows[asked](within, counts)} | ${draft.pattern('after', pattern, asked)}[e]`)
  }
  if (before) {
    const { within, ...pattern } = before
    clauses.push(
      `no e: ${windows[forbidden](within, counts)} | ${draft.pattern('before', pattern, forbidden)}[e]`,
    )
  }
  if (between) clauses.push(betweenClause(between, spec.tier, draft))
  return clauses
}

/** In the allowlist, a `from` that ran after the latest `to` must have completed without error; a step that is both counts as `to`. */
function betweenClause({ from, to }: NonNullable<Restricting['between']>, tier: Tier, draft: Draft): string {
  if (tier === 'allowlist') {
    const [opens, closes] = [draft.pattern('from', from, 'wentWell'), draft.pattern('to', to, 'ran')]
    return `some f: back.(s.prevs) | ${opens}[f] and no t: (f + f.nexts) & s.prevs | ${closes}[t]`
  }
  const [opens, closes] = [draft.pattern('from', from, 'ran'), draft.pattern('to', to, 'wentWell')]
  return `some f: s.prevs | ${opens}[f] and no t: f.nexts & back.(s.prevs) | ${closes}[t]`
}

function countClauses(spec: Restricting, own: string, draft: Draft, writing: Writing): string[] {
  const { counts } = spec
  const { atMost, sum, distinct, fleet, flow, ...past }: ConditionsOf<Restricting> = spec
  const { after: _after, before: _before, between: _between, ...others } = past
  allHandled(others)
  const clauses: string[] = []
  if (atMost) {
    const earlier = `{e: ${writing.windows.counted(atMost.per, counts)} | ${own}[e]}`
    // A larger number could only overflow the module's integers.
    clauses.push(
      atMost.times >= writing.depth ? 'some none -- not within this depth' : `#${earlier} >= ${atMost.times}`,
    )
  }
  if (sum) clauses.push(free(draft, 'sum', `whether \`${sum.of}\` adds up to more than ${sum.max}`))
  if (distinct)
    clauses.push(free(draft, 'distinct', `whether \`${distinct.of}\` had more than ${distinct.max} values`))
  if (fleet) clauses.push(free(draft, 'fleet', `whether ${fleet.sessions} other sessions did so`))
  if (flow) clauses.push(...flowClauses(flow, draft, writing, counts))
  return clauses
}

type Must = SpecOf<'mustlist'>

/** The clause that says that a step `s` is too early: `requires` has not completed without error before. */
export function requiresClause(spec: Must, draft: Draft, { windows }: Writing): string | undefined {
  if (!spec.requires) return undefined
  const { within, ...pattern } = spec.requires
  const required = draft.pattern('requires', pattern, 'wentWell')
  return `no e: ${windows.wentWell(within, spec.counts)} | ${required}[e]`
}

export interface Obligation {
  /** The clause that says that a step `s` would miss the deadline; undefined if no step is refused. */
  readonly late: string | undefined
  /** The clause that says that a step that would meet the obligation was blocked; undefined if that has no effect. */
  readonly exit: string | undefined
}

/**
 * The open obligation, as a field of each step with the step that opened it, and what it refuses; undefined without `followedBy`. `own` is the
 * predicate of the steps that open it.
 */
export function obligationOf(
  spec: Must,
  own: string,
  draft: Draft,
  writing: Writing,
): Obligation | undefined {
  if (!spec.followedBy) return undefined
  const { step, within } = spec.followedBy
  const pays = draft.pattern('pays', step, 'wentWell')
  const owes = draft.name('owes_since')
  draft.field(
    `${owes}: lone Step -- the step since which the obligation of \`${spec.id}\` is open when the step is proposed`,
  )
  draft.paragraph(owing({ own, pays, owes, draft }))
  if (within === 'session') return { late: undefined, exit: undefined }
  const late = draft.name('late')
  const over =
    'steps' in within
      ? overAfter(within.steps, owes, spec, draft, writing)
      : overInTime(owes, draft, within.seconds)
  draft.paragraph(predicate(late, [`some s.${owes}`, `not ${pays}[s]`, over]))
  return { late: `${late}[s]`, exit: exitClause(spec, owes, draft) }
}

interface Owing {
  readonly own: string
  readonly pays: string
  readonly owes: string
  readonly draft: Draft
}

/** How the obligation changes from step to step, and whether it is open when the session ends. */
function owing({ own, pays, owes, draft }: Owing): string {
  const [paid, then] = [draft.name('paid'), draft.name('owes_then')]
  draft.owedAtEnd(`some ${then}[last]`)
  return [
    '-- after step s a call that meets the obligation completed without error; it ran after the latest step that opened it',
    `pred ${paid} [s: Step] {`,
    `  some k: back.s | ${pays}[k] and no o: k.nexts & (s + s.prevs) | ${own}[o] and not ${pays}[o]`,
    '}',
    '-- the step since which the obligation is open after step s',
    `fun ${then} [s: Step]: lone Step {`,
    `  ${paid}[s] implies none`,
    `  else some s.${owes} implies s.${owes}`,
    `  else ${own}[s] and not ${pays}[s] implies s else none`,
    '}',
    fact([`no first.${owes}`, `all s: Step, t: s.next | t.${owes} = ${then}[s]`]),
  ].join('\n')
}

/** In a window of N steps opened at step t, steps with number t + N or more are late. */
function overAfter(steps: number, owes: string, spec: Must, draft: Draft, { depth }: Writing): string {
  if (steps >= depth) return 'some none -- not within this depth'
  const least = `s in s.${owes}${'.next'.repeat(steps)}.*next`
  return spec.counts === 'proposals' ? `(${least} or ${overEarlier(owes, draft)})` : least
}

const overEarlier = (owes: string, draft: Draft): string =>
  overdue(owes, draft, 'whether blocked proposals have used up the time')

const overInTime = (owes: string, draft: Draft, seconds: number): string =>
  overdue(owes, draft, `whether more than ${seconds} seconds have gone by`)

/** A free choice that, once made, stays as long as the same obligation is open. */
function overdue(owes: string, draft: Draft, what: string): string {
  const id = draft.name('overdue')
  draft.paragraph(
    `-- free choice: ${what}; it stays as long as the same obligation is open\nsig ${id} in Step {}\n${fact([`all s: ${id}, t: s.next | s.${owes} = t.${owes} implies t in ${id}`])}`,
  )
  return `s in ${id}`
}

/** Once a step that would meet the obligation was refused, the obligation only requires approval for other steps. */
function exitClause({ followedBy, id }: Must, owes: string, draft: Draft): string | undefined {
  if (followedBy?.exit === 'block') return undefined
  const exit = draft.name('exit')
  const refused = draft.name('refused')
  draft.paragraph(
    [
      `-- free choice: whether a step that would meet \`${id}\` was blocked by then: by prediction, a human or the stop switch`,
      `sig ${exit} in Step {}`,
      fact([
        `all s: ${exit} | some s.${owes}`,
        `all s: ${exit}, t: s.next | s.${owes} = t.${owes} implies t in ${exit}`,
      ]),
      `fun ${refused}: set Step { {s: ${exit} | s.prev not in ${exit} or s.prev.${owes} != s.${owes}} }`,
    ].join('\n'),
  )
  draft.refusals(refused)
  return `s in ${exit}`
}

export interface WrittenSpec {
  readonly part: Part
  readonly effects: readonly Effect[]
  readonly lifts: readonly Lift[]
}

/** What `spec` adds to the module, and its effect on a step. */
export function writeSpec(spec: Spec, writing: Writing): WrittenSpec {
  const draft = createDraft(spec.id, writing)
  draft.paragraph(comment(headOf(spec)))
  const own = draft.pattern('own', patternOf(spec), spec.tier === 'allowlist' ? 'wentWell' : 'ran')
  if (spec.tier === 'mustlist')
    return { effects: mustEffects(spec, own, draft, writing), lifts: [], part: draft.part() }
  const matches = draft.name(spec.tier === 'allowlist' ? 'lifts' : 'speaks')
  draft.paragraph(predicate(matches, [`${own}[s]`, ...conditionClauses(spec, own, draft, writing)]))
  const [part, when] = [draft.part(), `${matches}[s]`]
  if (spec.tier === 'allowlist') return { part, effects: [], lifts: [{ when, sources: spec.lifts }] }
  if (spec.tier === 'blocklist')
    return { part, effects: [{ verdict: 'block', source: 'blocklist', when }], lifts: [] }
  const asks = spec.verdict !== 'warn'
  return { part, effects: asks ? [{ verdict: 'confirm', source: 'confirmation', when }] : [], lifts: [] }
}

function mustEffects(spec: SpecOf<'mustlist'>, own: string, draft: Draft, writing: Writing): Effect[] {
  const { verdict = 'block' } = spec
  const { followedBy, requires: _, ...others }: ConditionsOf<Must> = spec
  allHandled(others)
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
