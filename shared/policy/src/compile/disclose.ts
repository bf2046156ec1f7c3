import {
  type Policy,
  type Spec,
  type SpecOf,
  type StepPattern,
  canonicalJson,
  matchesTool,
} from '@plimsoll/contracts'
import { compileExpression } from '../specs/expressions.js'

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

/** For clients and anyone who plays one. Nothing travels but what `rules` name (`*`: every argument that the call has): of a tool that several match, the arguments of all of them. */
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
  const reported: [string, unknown][] = []
  let room = DISCLOSED_CHARS_MAX
  const report = (name: string, cost: number) => {
    const text = canonicalJson(Object.hasOwn(values, name) ? values[name] : null)
    if (text.length > DISCLOSED_VALUE_CHARS_MAX || text.length + cost > room) return
    room -= text.length + cost
    // As it is read from a log; the caller may change his own.
    reported.push([name, JSON.parse(text)])
  }
  const named = new Set(names)
  const takesAll = named.delete(EVERY)
  for (const name of named) report(name, 0)
  // Names that nobody has written down come from the agent: they take room too.
  if (takesAll)
    for (const name of Object.keys(values))
      if (!named.has(name) && values[name] !== undefined) report(name, name.length)
  return Object.fromEntries(reported)
}

/** Arguments that have to be told of tools. */
export interface Disclosure {
  /** Names of tools, `*` standing for any run of characters. */
  readonly tools: readonly string[]
  /** Names of arguments; what is within one goes with it. `*`: whatever arguments there are. */
  readonly arguments: readonly string[]
}

/**
 * What a policy's expressions read, for the `disclose` of a client: where it is not told, a spec counts it as if it spoke against the step.
 * Throws `document_invalid` for an expression that is none.
 *
 * @example disclosuresOf(policy) // [{ tools: ['send_*'], arguments: ['to', 'amount'] }]
 */
export function disclosuresOf({ specs, declassifiers = [] }: Policy): readonly Disclosure[] {
  const read = [...specs.flatMap(readBySpec), ...declassifiers.flatMap(wheresIn)]
  const byTools = new Map<string, { tools: readonly string[]; names: Set<string> }>()
  for (const { tools = ['*'], expression } of read) {
    const key = JSON.stringify(tools)
    const entry = byTools.get(key) ?? { tools, names: new Set() }
    byTools.set(key, entry)
    for (const name of compileExpression(expression).reads) entry.names.add(name)
  }
  return [...byTools.values()].flatMap(({ tools, names }) =>
    names.size === 0 ? [] : [{ tools, arguments: [...names] }],
  )
}

interface Read {
  readonly tools?: readonly string[]
  readonly expression: string
}

function readBySpec(spec: Spec): Read[] {
  const { tools, flow, sum, distinct, ...others }: Partial<Omit<SpecOf<'blocklist'>, 'tier'>> = spec
  const only = tools && { tools }
  const counted = [sum, distinct].flatMap((each) => (each ? [{ ...only, expression: each.of }] : []))
  // What goes out by a flow is one of the spec's own steps.
  const ends = flow ? [...wheresIn(flow.from), ...wheresIn({ ...only, ...flow.to })] : []
  return [...wheresIn({ ...only, ...others }), ...ends, ...counted]
}

/** Of patterns, wherever they stand within. */
function wheresIn(value: unknown): Read[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  const { tools, where }: StepPattern = value
  const own = where === undefined ? [] : [{ ...(tools && { tools }), expression: where }]
  return [...own, ...Object.values(value).flatMap(wheresIn)]
}
