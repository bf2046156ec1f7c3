import type { Policy, Spec, SpecOf } from '@plimsoll/contracts'
import { patternOf } from '../specs/walk.js'
import { type Finding, finding } from './findings.js'
import { type Always, alwaysBlocked, covers, demandOf } from './patterns.js'

interface Placed<S extends Spec> {
  readonly spec: S
  readonly i: number
}

/** Specs that contradict each other, and specs without effect beside the others. */
export function tierFindings(policy: Policy): Finding[] {
  const { specs } = policy
  const placed = specs.map((spec, i) => ({ spec, i }))
  const ofTier = <T extends Spec['tier']>(tier: T): Placed<SpecOf<T>>[] =>
    placed.flatMap((each) => (isOf(tier, each) ? [each] : []))
  const always = alwaysBlocked(policy)
  const musts = ofTier('mustlist')
  return [
    ...musts.flatMap((must) => blockedFindings(must, always)),
    ...circleFindings(musts),
    ...placed.flatMap((each) => shadowFindings(each, always)),
    ...ofTier('allowlist').flatMap((allow) => liftFindings(allow, policy)),
  ]
}

const isOf = <T extends Spec['tier']>(tier: T, placed: Placed<Spec>): placed is Placed<SpecOf<T>> =>
  placed.spec.tier === tier

/** A step that is demanded and always blocked. */
function blockedFindings({ spec, i }: Placed<SpecOf<'mustlist'>>, always: Always): Finding[] {
  const { member, step } = demandOf(spec)
  const [blocker] = step ? always(patternOf(step)) : []
  if (!blocker) return []
  const message = `\`${spec.id}\` demands a step that \`${blocker.id}\` always blocks: no agent can do it; narrow one of the two`
  return [finding('required-and-blocked', ['specs', i, member], message)]
}

/** Steps that require each other: none of them can be the first. */
function circleFindings(musts: readonly Placed<SpecOf<'mustlist'>>[]): Finding[] {
  const ways = musts.flatMap(({ spec, i }) =>
    spec.requires ? [{ id: spec.id, i, own: patternOf(spec), needs: patternOf(spec.requires) }] : [],
  )
  const done = new Set<string>()
  const findings: Finding[] = []
  const walk = (way: (typeof ways)[number], under: readonly string[]): void => {
    if (done.has(way.id)) return
    const walked = [...under, way.id]
    for (const next of ways.filter(({ own }) => covers(own, way.needs))) {
      const start = walked.indexOf(next.id)
      if (start === -1) walk(next, walked)
      else findings.push(circle([...walked.slice(start), next.id], way.i))
    }
    done.add(way.id)
  }
  for (const way of ways) walk(way, [])
  return findings
}

function circle(ids: readonly string[], i: number): Finding {
  const way = ids.map((id) => `\`${id}\``).join(' → ')
  const message = `requires a step that cannot run before it (${way}): these steps can never run`
  return finding('requires-circle', ['specs', i, 'requires'], message)
}

const SHADOWED: Readonly<Record<Spec['tier'], string>> = {
  blocklist: 'adds nothing',
  mustlist: 'never applies',
  allowlist: 'lifts nothing there: a block is not lifted',
  confirmation: 'asks no human',
}

/** A spec on steps that another spec always blocks. */
function shadowFindings({ spec, i }: Placed<Spec>, always: Always): Finding[] {
  const own = patternOf(spec)
  const ends = 'flow' in spec && spec.flow ? [own, patternOf(spec.flow.to)] : [own]
  // Of two equal specs, report the later one.
  const blocker = ends
    .flatMap(always)
    .find((each) => each.i !== i && (each.i < i || !ends.some((end) => covers(end, each.pattern))))
  if (!blocker) return []
  const message = `\`${blocker.id}\` always blocks these steps: \`${spec.id}\` ${SHADOWED[spec.tier]}`
  return [finding('spec-shadowed', ['specs', i], message)]
}

/** An allowlist spec that lifts sources which never restrict anything. */
function liftFindings({ spec, i }: Placed<SpecOf<'allowlist'>>, policy: Policy): Finding[] {
  const idle = spec.lifts.filter((source) => !CAN_LIFT[source](policy))
  if (idle.length === 0) return []
  const which = idle.map((source) => `\`${source}\``).join(', ')
  const message = `under this policy ${which} never restricts a step: \`${spec.id}\` has nothing to lift there`
  return [finding('lifts-nothing', ['specs', i, 'lifts'], message)]
}

const isNotAllow = (verdict: string): boolean => verdict !== 'allow'

const CAN_LIFT: Readonly<Record<SpecOf<'allowlist'>['lifts'][number], (policy: Policy) => boolean>> = {
  line: ({ line }) => Object.values(line).some(isNotAllow),
  integrity: ({ integrity }) => Object.values(integrity ?? {}).some(isNotAllow),
  irreversible: ({ irreversible = 'allow' }) => isNotAllow(irreversible),
  hazard: ({ hazard }) => hazard.some(isNotAllow),
  forward: ({ forward }) => forward.verdicts.some(isNotAllow),
  unlabelled: ({ unlabelled }) => isNotAllow(unlabelled.verdict),
  confirmation: ({ specs }) => specs.some(({ tier }) => tier === 'confirmation'),
}
