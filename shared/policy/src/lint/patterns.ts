import { type Policy, type SpecOf, type StepPattern, matchesTool } from '@plimsoll/contracts'
import { isUnconditional } from '../specs/conditions.js'
import { patternOf } from '../specs/walk.js'

const LISTS = [
  'capability',
  'confidentiality',
  'trust',
  'reversibility',
  'tags',
  'act',
  'object',
  'reach',
] as const

/** Whether every step that matches `part` also matches `whole`, as far as the two patterns show. */
export function covers(whole: StepPattern, part: StepPattern): boolean {
  const { tools: names } = whole
  // A `*` of `part` matches only a `*` of `whole`, which then matches all that it stands for.
  if (names && !(part.tools ?? ['*']).every((tool) => names.some((each) => matchesTool(each, tool))))
    return false
  if (whole.recipient !== undefined && whole.recipient !== part.recipient) return false
  if (whole.where !== undefined && whole.where !== part.where) return false
  return LISTS.every((member) => {
    const outer: readonly string[] | undefined = whole[member]
    return !outer || (part[member]?.every((word) => outer.includes(word)) ?? false)
  })
}

/** Whether a name can match both: `send_*` and `*_mail` do. */
export function toolsMeet(a: string, b: string): boolean {
  if (!a.includes('*')) return matchesTool(b, a)
  if (!b.includes('*')) return matchesTool(a, b)
  // Row i, column j: whether `a` from i on and `b` from j on can match the same text.
  let below = Array.from({ length: b.length + 1 }, (_, j) => isStars(b.slice(j)))
  for (let i = a.length - 1; i >= 0; i--) {
    const row: boolean[] = []
    row[b.length] = isStars(a.slice(i))
    for (let j = b.length - 1; j >= 0; j--)
      row[j] =
        a[i] === '*' || b[j] === '*'
          ? (below[j] ?? false) || (row[j + 1] ?? false)
          : a[i] === b[j] && (below[j + 1] ?? false)
    below = row
  }
  return below[0] ?? false
}

const isStars = (text: string): boolean => /^\**$/.test(text)

/** Finds the patterns that cover one without trying each: most name tools without a `*`. */
export function createCoverage<T extends { readonly pattern: StepPattern }>(
  all: readonly T[],
): (part: StepPattern) => readonly T[] {
  const byName = new Map<string, T[]>()
  const open: T[] = []
  for (const each of all) {
    const { tools = ['*'] } = each.pattern
    if (tools.some((tool) => tool.includes('*'))) open.push(each)
    else for (const tool of tools) byName.set(tool, [...(byName.get(tool) ?? []), each])
  }
  return (part) => {
    const [first = '*'] = part.tools ?? []
    return [...(byName.get(first) ?? []), ...open].filter(({ pattern }) => covers(pattern, part))
  }
}

/** The specs that always block every step of a pattern. */
export type Always = (part: StepPattern) => readonly {
  readonly i: number
  readonly id: string
  readonly pattern: StepPattern
}[]

export function alwaysBlocked({ specs }: Policy): Always {
  return createCoverage(
    specs.flatMap((spec, i) =>
      spec.tier === 'blocklist' && isUnconditional(spec)
        ? [{ i, id: spec.id, pattern: patternOf(spec) }]
        : [],
    ),
  )
}

/** The step that a mustlist spec demands, and its member. */
export function demandOf({ requires, followedBy }: SpecOf<'mustlist'>): {
  readonly member: 'requires' | 'followedBy'
  readonly step: StepPattern | undefined
} {
  return requires ? { member: 'requires', step: requires } : { member: 'followedBy', step: followedBy?.step }
}
