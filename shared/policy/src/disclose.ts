import { canonicalJson, matchesTool } from '@plimsoll/contracts'
import type { Disclosure } from './disclosures.js'

/** Characters of JSON of one disclosed argument; a longer one is left out. */
export const DISCLOSED_VALUE_CHARS_MAX = 4_096

/** Characters of JSON of all disclosed arguments of a call together; what finds no room is left out. */
export const DISCLOSED_CHARS_MAX = 16_384

/** Gives the arguments of a call that travel; undefined where none do. */
export type Disclose = (
  tool: string,
  values: Readonly<Record<string, unknown>> | undefined,
) => Record<string, unknown> | undefined

/** Among the names of arguments: all others that the call has. */
const EVERY = '*'

/** Tools whose names are kept; beyond it the oldest is forgotten, and worked out again when it comes. */
const TOOLS_MAX = 4096

/** For clients and whoever plays one. Nothing travels but what `rules` name (`*`: every argument that the call has): of a tool that several match, the arguments of all of them. */
export function createDisclosure(rules: readonly Disclosure[] = []): Disclose {
  if (rules.length === 0) return () => undefined
  const known = new Map<string, readonly string[]>()

  function namesOf(tool: string): readonly string[] {
    const found = known.get(tool)
    if (found) return found
    const matching = rules.filter(({ tools }) => tools.some((pattern) => matchesTool(pattern, tool)))
    const names = [...new Set(matching.flatMap((rule) => rule.arguments))]
    if (known.size >= TOOLS_MAX) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(tool, names)
    return names
  }

  return (tool, values = {}) => {
    const names = namesOf(tool)
    return names.length === 0 ? undefined : disclosed(names, values)
  }
}

/**
 * One that the call does not have is told as `null`: that it is not there is known then. One that is too long is left out whole, and so
 * not known: half of it would say that the rest is not there.
 */
function disclosed(
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const told: [string, unknown][] = []
  let room = DISCLOSED_CHARS_MAX
  const tell = (name: string, cost: number) => {
    const text = canonicalJson(Object.hasOwn(values, name) ? values[name] : null)
    if (text.length > DISCLOSED_VALUE_CHARS_MAX || text.length + cost > room) return
    room -= text.length + cost
    // As it is read from a log; the caller may change his own.
    told.push([name, JSON.parse(text)])
  }
  const named = new Set(names)
  const takesAll = named.delete(EVERY)
  for (const name of named) tell(name, 0)
  // Names that nobody has written down come from the agent: they take room too.
  if (takesAll)
    for (const name of Object.keys(values))
      if (!named.has(name) && values[name] !== undefined) tell(name, name.length)
  return Object.fromEntries(told)
}
