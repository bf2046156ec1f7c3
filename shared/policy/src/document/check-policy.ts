import {
  type Declassifier,
  type Per,
  type PolicyParts,
  type Spec,
  CONFIDENTIALITIES,
  PATTERN_MEMBERS,
} from '@plimsoll/contracts'
import { CELLS_MAX } from '@plimsoll/engine'
import { nearest } from './issues.js'
import type { Problem } from './problems.js'
import { cellsNeeded } from '../specs/layout.js'
import { BITS, patternsOf } from '../specs/numbering.js'
import { expressionProblems } from './check-expressions.js'

/** Declassifiers that lead back to the label that they take away, and such as make of data more than it was. */
export function declassifierProblems(declassifiers: readonly Declassifier[]): Problem[] {
  return [...risingProblems(declassifiers), ...circleProblems(declassifiers)]
}

function risingProblems(declassifiers: readonly Declassifier[]): Problem[] {
  return declassifiers.flatMap(({ from, to }, i) => {
    const [before, after] = [rankOf(from), rankOf(to)]
    if (before === -1 || after === -1 || after < before) return []
    const message = `makes \`${to}\` of \`${from}\`, which is no less: name a lower confidentiality, or leave \`to\` out`
    return [{ path: ['declassifiers', i, 'to'], message }]
  })
}

const rankOf = (label: string | undefined): number => CONFIDENTIALITIES.findIndex((word) => word === label)

/** Walks from label to label; anyone who comes back to a label that he is still under way from goes in a circle. */
function circleProblems(declassifiers: readonly Declassifier[]): Problem[] {
  const isRising = new Set(risingProblems(declassifiers).map(({ path }) => path[1]))
  const ways = declassifiers.map(({ from, to }, i) => ({ from, to, i })).filter(({ i }) => !isRising.has(i))
  const done = new Set<string>()
  const problems: Problem[] = []

  function walk(label: string, under: readonly string[]): void {
    if (done.has(label)) return
    for (const { from, to, i } of ways) {
      if (from !== label || to === undefined) continue
      const walked = [...under, label]
      const start = walked.indexOf(to)
      if (start === -1) walk(to, walked)
      else problems.push(circle([...walked.slice(start), to], i))
    }
    done.add(label)
  }

  for (const { from } of ways) walk(from, [])
  return problems
}

function circle(labels: readonly string[], i: number): Problem {
  const way = labels.map((label) => `\`${label}\``).join(' → ')
  return {
    path: ['declassifiers', i, 'to'],
    message: `goes in a circle, ${way}: nothing would ever be declassified; take one of these declassifiers out`,
  }
}

/** More tags in a policy, or more labels in a flow, than the engine tells apart. */
export function labelProblems({ specs, declassifiers = [] }: PolicyParts): Problem[] {
  return [
    ...tagProblems(specs, declassifiers),
    ...specs.flatMap((spec, i) => flowProblems(spec, ['specs', i, 'flow'], declassifiers)),
  ]
}

function tagProblems(specs: readonly Spec[], declassifiers: readonly Declassifier[]): Problem[] {
  const tags = new Set(declassifiers.flatMap(({ step }) => step.tags ?? []))
  let first: number | undefined
  for (const [i, spec] of specs.entries()) {
    for (const pattern of patternsOf(spec)) for (const tag of pattern.tags ?? []) tags.add(tag)
    if (tags.size > BITS) first ??= i
  }
  if (tags.size <= BITS) return []
  const message = `from here on the policy names more than ${BITS} tags, ${tags.size} in all, and no more are told apart: give tools that are meant alike one tag`
  return [{ path: first === undefined ? ['declassifiers'] : ['specs', first], message }]
}

function flowProblems(
  spec: Spec,
  path: readonly PropertyKey[],
  declassifiers: readonly Declassifier[],
): Problem[] {
  const flow = 'flow' in spec ? spec.flow : undefined
  if (!flow) return []
  const { confidentiality = [], trust = [], tags = [] } = flow.from
  const ends = declassifiers
    .filter(({ id }) => flow.declassifiers?.includes(id))
    .flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))
  const labels = new Set<string>([...confidentiality, ...trust, ...tags, ...ends])
  if (labels.size <= BITS) return []
  const message = `speaks of ${labels.size} labels, with those of its declassifiers; at most ${BITS} are distinguished: split it into two flows`
  return [{ path, message }]
}

/** A policy of which a session would have to remember too much: from which spec on. */
export function memoryProblems(specs: readonly Spec[]): Problem[] {
  // One cell is the memory's own.
  let used = 1
  let first: number | undefined
  for (const [i, spec] of specs.entries()) {
    used += cellsNeeded(spec)
    if (used > CELLS_MAX) first ??= i
  }
  if (first === undefined) return []
  const message = `from here on a session would have to remember ${used} numbers, and it keeps at most ${CELLS_MAX}: use fewer conditions on time, counts and flows, counts per session instead of in windows, or a smaller \`distinct\``
  return [{ path: ['specs', first], message }]
}

type Path = readonly PropertyKey[]
interface Named {
  readonly id: string
}

/** Ids that are named and not there, and ids that stand twice in a list. Without an analysis, requirements are free text. */
export function referenceProblems({ analysis, declassifiers = [], specs }: PolicyParts): Problem[] {
  const { stakeholders = [], losses = [], hazards = [], requirements = [], goals = [] } = analysis ?? {}
  const actions = analysis?.unsafeControlActions ?? []
  const names = (what: string, list: readonly Named[]) => createNames(what, list)
  const known = {
    stakeholder: names('stakeholder', stakeholders),
    loss: names('loss', losses),
    hazard: names('hazard', hazards),
    action: names('unsafe control action', actions),
    requirement: names('requirement', requirements),
    declassifier: names('declassifier', declassifiers),
  }
  return [
    ...Object.entries({
      stakeholders,
      losses,
      hazards,
      requirements,
      goals,
      unsafeControlActions: actions,
    }).flatMap(([list, entries]) => twice(entries, ['analysis', list])),
    ...twice(declassifiers, ['declassifiers']),
    ...losses.flatMap((loss, i) =>
      known.stakeholder(loss.stakeholders, ['analysis', 'losses', i, 'stakeholders']),
    ),
    ...hazards.flatMap((hazard, i) => known.loss(hazard.losses, ['analysis', 'hazards', i, 'losses'])),
    ...actions.flatMap((action, i) =>
      known.hazard(action.hazards, ['analysis', 'unsafeControlActions', i, 'hazards']),
    ),
    ...requirements.flatMap((requirement, i) => {
      const at = ['analysis', 'requirements', i]
      return [
        ...known.hazard(requirement.hazards, [...at, 'hazards']),
        ...known.action(requirement.unsafeControlActions, [...at, 'unsafeControlActions']),
      ]
    }),
    ...specs.flatMap((spec, i) => [
      ...(analysis ? known.requirement(spec.requirements, ['specs', i, 'requirements']) : []),
      ...('flow' in spec
        ? known.declassifier(spec.flow?.declassifiers, ['specs', i, 'flow', 'declassifiers'])
        : []),
    ]),
  ]
}

function createNames(what: string, list: readonly Named[]) {
  const ids = new Set(list.map(({ id }) => id))
  return (named: readonly string[] = [], path: Path): Problem[] =>
    named.flatMap((id, i) =>
      ids.has(id)
        ? []
        : [{ path: [...path, i], message: `there is no ${what} \`${id}\`${hint(id, [...ids], what)}` }],
    )
}

function hint(id: string, ids: readonly string[], what: string): string {
  const meant = nearest(id, ids)
  if (meant !== undefined) return `: did you mean \`${meant}\`?`
  return ids.length === 0
    ? `; the document lists none`
    : `: list it among the ${PLURALS[what] ?? `${what}s`}, or name another`
}

const PLURALS: Readonly<Record<string, string>> = { loss: 'losses' }

function twice(list: readonly Named[], path: Path): Problem[] {
  const seen = new Set<string>()
  return list.flatMap(({ id }, i) => {
    const isSecond = seen.has(id)
    seen.add(id)
    return isSecond
      ? [{ path: [...path, i, 'id'], message: `\`${id}\` stands twice: give one of them another id` }]
      : []
  })
}

/** What one spec says that cannot be meant. */
export function specProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  return [...patternProblems(spec, path), ...mustlistProblems(spec, path), ...countProblems(spec, path)]
}

function patternProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  const says = PATTERN_MEMBERS.some((member) => spec[member] !== undefined) || ('flow' in spec && spec.flow)
  if (says) return []
  const message =
    'does not say which steps it matches: give `tools` or another member of a pattern, `tools: ["*"]` for every step'
  return [{ path, message }]
}

function mustlistProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  if (spec.tier !== 'mustlist') return []
  const { requires, followedBy } = spec
  if (requires && followedBy)
    return [{ path, message: 'has both `requires` and `followedBy`: make two specs of it, an id each' }]
  if (requires || followedBy) return []
  const message =
    'says not what must be done: give `requires` (before these steps) or `followedBy` (after them), or move it to another tier'
  return [{ path, message }]
}

/** Counted are the eighth of the window that is now and the eight before it. */
const SLICES = 8

function countProblems(spec: Spec, path: readonly PropertyKey[]): Problem[] {
  if (!('atMost' in spec) || !spec.atMost) return []
  const { times, per } = spec.atMost
  const steps = stepsOf(per)
  const most = (SLICES + 1) * Math.ceil((steps ?? 0) / SLICES)
  if (steps === undefined || times < most) return []
  const message = `never matches: no window of ${steps} steps has more than ${times} of them; lower \`times\` or widen \`per\``
  return [{ path: [...path, 'atMost', 'times'], message }]
}

const stepsOf = (per: Per): number | undefined =>
  per !== 'session' && 'steps' in per ? per.steps : undefined

/**
 * What is wrong in a policy beyond its form: names of what is not there, specs that say nothing, expressions that cannot be compiled,
 * declassifiers in a circle, more memory than a session has. Empty where it can be compiled. Takes time that grows with its length.
 */
export function checkPolicy(policy: PolicyParts): Problem[] {
  return [
    ...referenceProblems(policy),
    ...policy.specs.flatMap((spec, i) => specProblems(spec, ['specs', i])),
    ...expressionProblems(policy),
    ...declassifierProblems(policy.declassifiers ?? []),
    ...labelProblems(policy),
    ...memoryProblems(policy.specs),
  ]
}
