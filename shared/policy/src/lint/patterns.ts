import { type Policy, type SpecOf, type StepPattern, PATTERN_MEMBERS, matchesTool } from '@plimsoll/contracts'

const LISTS = ['capability', 'confidentiality', 'trust', 'reversibility', 'tags'] as const

/** Whether every step that matches `part` matches `whole` too, as far as can be told from the two alone. */
export function covers(whole: StepPattern, part: StepPattern): boolean {
  if (
    whole.tools &&
    !(part.tools ?? ['*']).every((tool) => whole.tools?.some((each) => coversTool(each, tool)))
  )
    return false
  if (whole.recipient !== undefined && whole.recipient !== part.recipient) return false
  if (whole.where !== undefined && whole.where !== part.where) return false
  return LISTS.every((member) => {
    const [outer, inner]: [readonly string[] | undefined, readonly string[] | undefined] = [
      whole[member],
      part[member],
    ]
    return !outer || (inner?.every((word) => outer.includes(word)) ?? false)
  })
}

/** A `*` of `part` can only be met by one of `whole`; whatever it stands for is then met too. */
const coversTool = (whole: string, part: string): boolean => matchesTool(whole, part)

/** Whether a name can match both: `send_*` and `*_mail` do. */
export function toolsMeet(a: string, b: string): boolean {
  if (!a.includes('*')) return matchesTool(b, a)
  if (!b.includes('*')) return matchesTool(a, b)
  // Row i: whether the rest of `a` from i on and the rest of `b` from j on can be the same text.
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

/** Those of many patterns that cover one, found without trying each: most name tools without a `*`. */
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

/** A pattern as a text that is the same for patterns that say the same: without windows, lists in order. */
export function normalised(pattern: StepPattern): string {
  return JSON.stringify(
    PATTERN_MEMBERS.toSorted().flatMap((member) => {
      const value = pattern[member]
      if (value === undefined) return []
      return [[member, Array.isArray(value) ? [...new Set<string>(value)].toSorted() : value]]
    }),
  )
}

/** The pattern alone, of whatever has more members. */
export function patternOf(holder: StepPattern): StepPattern {
  return Object.fromEntries(
    PATTERN_MEMBERS.flatMap((member) => (holder[member] === undefined ? [] : [[member, holder[member]]])),
  )
}

/** Those specs that always block whatever matches a pattern. */
export type Always = (part: StepPattern) => readonly {
  readonly i: number
  readonly id: string
  readonly pattern: StepPattern
}[]

export function alwaysBlocked({ specs }: Policy): Always {
  return createCoverage(
    specs.flatMap((spec, i) =>
      spec.tier === 'blocklist' && isPlain(spec) ? [{ i, id: spec.id, pattern: patternOf(spec) }] : [],
    ),
  )
}

/** Blocks whatever matches it, whatever came before. */
function isPlain(spec: SpecOf<'blocklist'>): boolean {
  const { after, before, between, sum, distinct, fleet, flow, atMost } = spec
  return (
    ![after, before, between, sum, distinct, fleet, flow].some(Boolean) && (!atMost || atMost.times === 0)
  )
}

/** What a mustlist spec demands, and the member that says it. */
export function demandOf({ requires, followedBy }: SpecOf<'mustlist'>): {
  readonly member: 'requires' | 'followedBy'
  readonly step: StepPattern | undefined
} {
  return requires ? { member: 'requires', step: requires } : { member: 'followedBy', step: followedBy?.step }
}
