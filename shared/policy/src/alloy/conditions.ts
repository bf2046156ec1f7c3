import type { SpecOf, Tier } from '@plimsoll/contracts'
import { free, type Draft, type Writing } from './writing.js'
import type { Reading } from './patterns.js'
import { flowClauses } from './flows.js'

type Restricting = SpecOf<'blocklist'> | SpecOf<'confirmation'>

/** Clauses over a step `s` that say when the conditions of `spec` hold; `own` is the predicate of its own pattern. */
export function conditionClauses(
  spec: Restricting | SpecOf<'allowlist'>,
  own: string,
  draft: Draft,
  writing: Writing,
): string[] {
  const past = pastClauses(spec, draft, writing)
  return spec.tier === 'allowlist' ? past : [...past, ...countClauses(spec, own, draft, writing)]
}

/** `after`, `before`, `between`: in the allowlist what they ask for counts for the session, and what they forbid against it. */
function pastClauses(spec: Restricting | SpecOf<'allowlist'>, draft: Draft, { windows }: Writing): string[] {
  const { after, before, between, counts } = spec
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

/** In the allowlist a `from` must have come back well that was let run after the latest `to`, and what is both counts as `to`. */
function betweenClause({ from, to }: NonNullable<Restricting['between']>, tier: Tier, draft: Draft): string {
  if (tier === 'allowlist') {
    const [opens, closes] = [draft.pattern('from', from, 'wentWell'), draft.pattern('to', to, 'ran')]
    return `some f: back.(s.prevs) | ${opens}[f] and no t: (f + f.nexts) & s.prevs | ${closes}[t]`
  }
  const [opens, closes] = [draft.pattern('from', from, 'ran'), draft.pattern('to', to, 'wentWell')]
  return `some f: s.prevs | ${opens}[f] and no t: f.nexts & back.(s.prevs) | ${closes}[t]`
}

function countClauses(spec: Restricting, own: string, draft: Draft, writing: Writing): string[] {
  const { atMost, sum, distinct, fleet, flow, counts } = spec
  const clauses: string[] = []
  if (atMost) {
    const earlier = `{e: ${writing.windows.counted(atMost.per, counts)} | ${own}[e]}`
    // Beyond the depth it could only overflow the module's numbers.
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
