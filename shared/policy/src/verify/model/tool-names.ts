import { type Catalogue, type StepPattern, matchesTool } from '@plimsoll/contracts'

/** Names that no document is expected to have: one that by its name reads, and one that does not. */
const STRANGERS = ['tool_of_nobody', 'get_items_of_nobody']
/** Only so many patterns are held against one another, those of the policy first. */
const GLOBS_MAX = 200

export interface ToolNames {
  readonly names: readonly string[]
  /** Whether every pattern was held against every other. */
  readonly isWhole: boolean
}

/**
 * Names of tools that stand for all there can be: those that a document spells out, of each pattern one that it matches, of two patterns
 * one that both match where putting one into the other gives it, and one that only `*` matches; of a
 * pattern also one that by its name reads, and one that does not.
 */
export function toolNames(catalogue: Catalogue, patterns: readonly StepPattern[]): ToolNames {
  const all = [
    ...patterns.flatMap(({ tools = [] }) => tools),
    ...catalogue.tools.flatMap(({ tools }) => tools),
  ]
  const names = new Set(all.filter((pattern) => !pattern.includes('*')))
  const globs = [...new Set(all.filter((pattern) => pattern.includes('*')))]
  const own = fillerFor(all)
  for (const glob of globs)
    for (const by of [own, ...BEGINNINGS.map((begin) => begin + own)]) names.add(filled(glob, by))
  const held = globs.slice(0, GLOBS_MAX)
  for (const a of held)
    for (const b of held) {
      const both = filled(a, filled(b, own))
      if (a !== b && matchesTool(b, both)) names.add(both)
      const ends = joined(a, b, own)
      if (a !== b && matchesTool(b, ends) && matchesTool(a, ends)) names.add(ends)
    }
  const isTaken = STRANGERS.some((stranger) => globs.some((glob) => matchesTool(glob, stranger)))
  for (const stranger of isTaken ? [own, ...BEGINNINGS.map((begin) => begin + own)] : STRANGERS)
    names.add(stranger)
  return { names: [...names].filter((name) => NAME.test(name)), isWhole: globs.length <= GLOBS_MAX }
}

/**
 * What a tool is taken for that nothing labels goes by its name (`standInOf`): put before what fills a pattern, the one makes of it a tool that
 * reads, the other one that does not.
 */
export const BEGINNINGS = ['get_items_', 'delete_items_'] as const

const NAME = /^[\x21-\x7e]{1,200}$/

const filled = (glob: string, by: string): string => glob.replaceAll('*', by)

/** The beginning of the one and the end of the other. */
const joined = (a: string, b: string, by: string): string =>
  `${a.slice(0, a.indexOf('*'))}${by}${b.slice(b.lastIndexOf('*') + 1)}`

/** A character of no pattern: what is filled in by it matches nothing by chance. */
const fillerFor = (patterns: readonly string[]): string =>
  FILLERS.find((each) => !patterns.some((pattern) => pattern.includes(each))) ?? 'x'
const FILLERS = ['x', 'q', 'j', 'z', 'k', 'w', 'v', 'y', 'X', 'Q', 'J', 'Z', 'K', '0', '7', '9', '~', '^']
