import {
  type Declassifier,
  type PolicyParts,
  type Spec,
  CONFIDENTIALITIES,
  PATTERN_MEMBERS,
  PlimsollError,
} from '@plimsoll/contracts'
import { CELLS_MAX } from '@plimsoll/engine'
import { countedIn } from '../specs/conditions.js'
import { type ExpressionKind, compileExpression } from '../specs/expressions.js'
import { BITS, cellsNeeded } from '../specs/numbering.js'
import { type Path, patternsOfSpec, placedPatterns, valueAt } from '../specs/walk.js'
import { nearest } from './issues.js'
import type { Problem } from './problems.js'

/**
 * Problems of a policy that has the right form: missing names, specs without a meaning, wrong expressions, circular declassifiers, more
 * memory than a session has. Empty where the policy compiles. Time is linear in its length.
 */
export function checkPolicy(policy: PolicyParts): Problem[] {
  const { specs, declassifiers = [] } = policy
  return [
    ...referenceProblems(policy),
    ...specs.flatMap((spec, i) => specProblems(spec, ['specs', i])),
    ...expressionProblems(policy),
    ...declassifierProblems(declassifiers),
    ...tagProblems(specs, declassifiers),
    ...specs.flatMap((spec, i) => flowProblems(spec, ['specs', i, 'flow'], declassifiers)),
    ...memoryProblems(specs),
  ]
}

interface Named {
  readonly id: string
}

/** What the lists of an analysis hold, in the words of messages. */
const NOUNS = {
  stakeholders: 'stakeholder',
  losses: 'loss',
  hazards: 'hazard',
  requirements: 'requirement',
  goals: 'goal',
  unsafeControlActions: 'unsafe control action',
} as const

/** The members of each list that name entries of another list. */
const REFERENCES = [
  ['losses', 'stakeholders'],
  ['hazards', 'losses'],
  ['unsafeControlActions', 'hazards'],
  ['requirements', 'hazards'],
  ['requirements', 'unsafeControlActions'],
] as const

/** Names that refer to nothing, and duplicate ids. Without an analysis, requirements are free text. */
function referenceProblems({ analysis, declassifiers = [], specs }: PolicyParts): Problem[] {
  const missing = (what: string, list: readonly Named[]) => {
    const known = new Set(list.map(({ id }) => id))
    const ids = [...known]
    return (names: unknown, path: Path): Problem[] =>
      ((names ?? []) as readonly string[]).flatMap((id, i) =>
        known.has(id)
          ? []
          : [{ path: [...path, i], message: `there is no ${what} \`${id}\`${hint(id, ids, what)}` }],
      )
  }
  const noDeclassifier = missing('declassifier', declassifiers)
  const noRequirement = missing('requirement', analysis?.requirements ?? [])
  return [
    ...Object.keys(NOUNS).flatMap((list) =>
      duplicates(valueAt(analysis, [list]) as Named[] | undefined, ['analysis', list]),
    ),
    ...duplicates(declassifiers, ['declassifiers']),
    ...REFERENCES.flatMap(([from, to]) => {
      const check = missing(NOUNS[to], analysis?.[to] ?? [])
      return (analysis?.[from] ?? []).flatMap((entry, i) =>
        check(valueAt(entry, [to]), ['analysis', from, i, to]),
      )
    }),
    ...specs.flatMap((spec, i) => [
      ...(analysis ? noRequirement(spec.requirements, ['specs', i, 'requirements']) : []),
      ...noDeclassifier(valueAt(spec, ['flow', 'declassifiers']), ['specs', i, 'flow', 'declassifiers']),
    ]),
  ]
}

function hint(id: string, ids: readonly string[], what: string): string {
  const meant = nearest(id, ids)
  if (meant !== undefined) return `: did you mean \`${meant}\`?`
  if (ids.length === 0) return `; the document lists none`
  return `: list it among the ${what === 'loss' ? 'losses' : `${what}s`}, or name another`
}

function duplicates(list: readonly Named[] = [], path: Path): Problem[] {
  const seen = new Set<string>()
  return list.flatMap(({ id }, i) => {
    const isDuplicate = seen.has(id)
    seen.add(id)
    const message = `\`${id}\` is used twice: give one of them another id`
    return isDuplicate ? [{ path: [...path, i, 'id'], message }] : []
  })
}

function specProblems(spec: Spec, path: Path): Problem[] {
  return [...patternProblems(spec, path), ...mustlistProblems(spec, path), ...countProblems(spec, path)]
}

function patternProblems(spec: Spec, path: Path): Problem[] {
  if (PATTERN_MEMBERS.some((member) => spec[member] !== undefined) || ('flow' in spec && spec.flow)) return []
  const message =
    'does not say which steps it matches: give `tools` or another member of a pattern, `tools: ["*"]` for every step'
  return [{ path, message }]
}

function mustlistProblems(spec: Spec, path: Path): Problem[] {
  if (spec.tier !== 'mustlist' || Boolean(spec.requires) !== Boolean(spec.followedBy)) return []
  const message = spec.requires
    ? 'has both `requires` and `followedBy`: make two specs of it, an id each'
    : 'does not say what must be done: give `requires` (before these steps) or `followedBy` (after them), or move it to another tier'
  return [{ path, message }]
}

/** A window of counts has eight slices, and counts the current one too. */
const SLICES = 8

function countProblems(spec: Spec, path: Path): Problem[] {
  if (!('atMost' in spec) || !spec.atMost) return []
  const { times, per } = spec.atMost
  if (per === 'session' || !('steps' in per)) return []
  if (times < (SLICES + 1) * Math.ceil(per.steps / SLICES)) return []
  const message = `never matches: no window of ${per.steps} steps has more than ${times} of them; lower \`times\` or widen \`per\``
  return [{ path: [...path, 'atMost', 'times'], message }]
}

const KINDS: Readonly<Record<Exclude<ExpressionKind, 'any'>, string>> = {
  bool: 'true or false',
  number: 'a number',
  string: 'a text',
  list: 'a list',
  null: 'null',
}

/** Expressions that do not compile, or whose result has the wrong type. */
function expressionProblems(policy: PolicyParts): Problem[] {
  const known = new Map<string, ExpressionKind | PlimsollError>()
  const check = (text: unknown, path: Path, wanted?: 'bool' | 'number'): Problem[] => {
    if (typeof text !== 'string') return []
    const kind = known.get(text) ?? kindOf(text)
    known.set(text, kind)
    if (kind instanceof PlimsollError) return [{ path, message: kind.message }]
    if (wanted === undefined || kind === 'any' || kind === wanted) return []
    const message = `gives ${KINDS[kind]}: write an expression that gives ${KINDS[wanted]}`
    return [{ path, message }]
  }
  return [
    ...placedPatterns(policy).flatMap(({ pattern, path }) =>
      check(pattern.where, [...path, 'where'], 'bool'),
    ),
    ...policy.specs.flatMap((spec, i) =>
      countedIn(spec).flatMap(({ key, kind, text }) =>
        check(text, ['specs', i, key, 'of'], kind === 'number' ? kind : undefined),
      ),
    ),
  ]
}

function kindOf(text: string): ExpressionKind | PlimsollError {
  try {
    return compileExpression(text).gives
  } catch (error) {
    if (error instanceof PlimsollError) return error
    throw error
  }
}

/** Declassifiers that raise a confidentiality, or that lead back to the label that they remove. */
function declassifierProblems(declassifiers: readonly Declassifier[]): Problem[] {
  const rising = risingProblems(declassifiers)
  const isRising = new Set(rising.map(({ path }) => path[1]))
  const ways = declassifiers.map(({ from, to }, i) => ({ from, to, i })).filter(({ i }) => !isRising.has(i))
  const done = new Set<string>()
  const circles: Problem[] = []

  function walk(label: string, above: readonly string[]): void {
    if (done.has(label)) return
    for (const { from, to, i } of ways) {
      if (from !== label || to === undefined) continue
      const walked = [...above, label]
      const start = walked.indexOf(to)
      if (start === -1) walk(to, walked)
      else circles.push(circle([...walked.slice(start), to], i))
    }
    done.add(label)
  }

  for (const { from } of ways) walk(from, [])
  return [...rising, ...circles]
}

const rankOf = (label: string | undefined): number => CONFIDENTIALITIES.findIndex((word) => word === label)

function risingProblems(declassifiers: readonly Declassifier[]): Problem[] {
  return declassifiers.flatMap(({ from, to }, i) => {
    const [before, after] = [rankOf(from), rankOf(to)]
    if (before === -1 || after === -1 || after < before) return []
    const message = `turns \`${from}\` into \`${to}\`, which is no lower: name a lower confidentiality, or leave \`to\` out`
    return [{ path: ['declassifiers', i, 'to'], message }]
  })
}

function circle(labels: readonly string[], i: number): Problem {
  const way = labels.map((label) => `\`${label}\``).join(' → ')
  return {
    path: ['declassifiers', i, 'to'],
    message: `goes in a circle, ${way}: nothing would ever be declassified; take one of these declassifiers out`,
  }
}

/** More tags in a policy than the engine distinguishes. */
function tagProblems(specs: readonly Spec[], declassifiers: readonly Declassifier[]): Problem[] {
  const tags = new Set(declassifiers.flatMap(({ step }) => step.tags ?? []))
  const add = (spec: Spec): number => {
    for (const pattern of patternsOfSpec(spec)) for (const tag of pattern.tags ?? []) tags.add(tag)
    return tags.size
  }
  const first = specs.findIndex((spec) => add(spec) > BITS)
  for (const spec of specs) add(spec)
  if (tags.size <= BITS) return []
  const message = `from here on the policy names more than ${BITS} tags, ${tags.size} in all, and no more are distinguished: give tools that are meant alike one tag`
  return [{ path: first === -1 ? ['declassifiers'] : ['specs', first], message }]
}

/** More labels in a flow than the engine distinguishes. */
function flowProblems(spec: Spec, path: Path, declassifiers: readonly Declassifier[]): Problem[] {
  const flow = 'flow' in spec ? spec.flow : undefined
  if (!flow) return []
  const { confidentiality = [], trust = [], tags = [] } = flow.from
  const ends = declassifiers
    .filter(({ id }) => flow.declassifiers?.includes(id))
    .flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]))
  const labels = new Set<string>([...confidentiality, ...trust, ...tags, ...ends])
  if (labels.size <= BITS) return []
  const message = `names ${labels.size} labels, with those of its declassifiers; at most ${BITS} are distinguished: split it into two flows`
  return [{ path, message }]
}

/** More memory than a session has. */
function memoryProblems(specs: readonly Spec[]): Problem[] {
  // One cell belongs to the memory itself.
  const used = specs.reduce((sum, spec) => sum + cellsNeeded(spec), 1)
  let total = 1
  const first = specs.findIndex((spec) => (total += cellsNeeded(spec)) > CELLS_MAX)
  if (first === -1) return []
  const message = `from here on a session would have to keep ${used} numbers, and it keeps at most ${CELLS_MAX}: use fewer conditions on time, counts and flows, counts per session instead of in windows, or a smaller \`distinct\``
  return [{ path: ['specs', first], message }]
}
