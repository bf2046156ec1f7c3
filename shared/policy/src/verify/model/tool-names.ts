import { type Catalogue, type StepPattern, matchesTool, toolOnServer } from '@plimsoll/contracts'

/** Names that no document should contain: one says nothing, the others what the tool does. */
const STRANGERS = [
  'tool_of_nobody',
  'get_items_of_nobody',
  'toggle_item_of_nobody',
  'update_item_of_nobody',
  'delete_item_of_nobody',
  'invite_nobody',
  'send_nobody',
  'fetch_url_of_nobody',
  'run_command_of_nobody',
]
/** Limit of patterns that are combined with each other; the policy's patterns come first. */
const GLOBS_MAX = 200

export interface ToolNames {
  readonly names: readonly string[]
  /** Whether every pattern was combined with every other. */
  readonly isWhole: boolean
}

/**
 * Tool names that represent all possible tools: the names in the documents; for each pattern a name that it matches, both named like a
 * reading tool and not; for two patterns a name that both match, if inserting one into the other gives it; for a pattern
 * that can name a server each name there; and a name that only `*` matches.
 */
export function toolNames(catalogue: Catalogue, patterns: readonly StepPattern[]): ToolNames {
  const all = [
    ...patterns.flatMap(({ tools = [] }) => tools),
    ...catalogue.tools.flatMap(({ tools }) => tools),
  ]
  const names = new Set(all.filter(isExact))
  const globs = [...new Set(all.filter((name) => !isExact(name)))]
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
  const ofPolicy = new Set(patterns.flatMap(({ tools = [] }) => tools))
  const bare = [...new Set(all)]
    .filter((name) => (isExact(name) || !ofPolicy.has(name)) && toolOnServer(name) === undefined)
    .map((name) => filled(name, own))
  for (const glob of held)
    if (ofPolicy.has(glob) || glob.startsWith('mcp__'))
      for (const name of onServerOf(glob, bare, own)) names.add(name)
  const isTaken = STRANGERS.some((stranger) => globs.some((glob) => matchesTool(glob, stranger)))
  for (const stranger of isTaken ? [own, ...BEGINNINGS.map((begin) => begin + own)] : STRANGERS)
    names.add(stranger)
  return { names: [...names].filter((name) => NAME.test(name)), isWhole: globs.length <= GLOBS_MAX }
}

/**
 * The default labels of an unlabelled tool depend on its name (`standInOf`). As prefixes of a name that matches a pattern, the first makes it
 * a reading tool, the others tools that delete, change and send.
 */
export const BEGINNINGS = ['get_items_', 'delete_items_', 'update_items_', 'send_items_'] as const

const NAME = /^[\x21-\x7e]{1,200}$/

const isExact = (name: string): boolean => !name.includes('*')

const filled = (glob: string, by: string): string => glob.replaceAll('*', by)

/** The beginning of a tool of a server, as clients spell it (`toolOnServer`). */
const OF_SERVER = /^(mcp__.+?)__/

/** Names of tools on a server whose beginning `glob` can match: a tool has the entry of its name there, and what matches its whole name besides. */
function onServerOf(glob: string, bare: readonly string[], by: string): string[] {
  const star = glob.lastIndexOf('*')
  const head = filled(glob.slice(0, star), by)
  const server = OF_SERVER.exec(head.startsWith('mcp__') ? `${head}__` : `mcp__${head}__`)?.[1] ?? ''
  const tail = glob.slice(star + 1)
  return bare
    .filter((name) => name.endsWith(tail))
    .map((name) => `${server}__${name}`)
    .filter((name) => matchesTool(glob, name))
}

/** The beginning of one pattern followed by the end of the other. */
const joined = (a: string, b: string, by: string): string =>
  `${a.slice(0, a.indexOf('*'))}${by}${b.slice(b.lastIndexOf('*') + 1)}`

/** A character that no pattern contains, so that a filled-in name matches nothing by chance. */
const fillerFor = (patterns: readonly string[]): string =>
  FILLERS.find((each) => !patterns.some((pattern) => pattern.includes(each))) ?? 'x'
const FILLERS = ['x', 'q', 'j', 'z', 'k', 'w', 'v', 'y', 'X', 'Q', 'J', 'Z', 'K', '0', '7', '9', '~', '^']
