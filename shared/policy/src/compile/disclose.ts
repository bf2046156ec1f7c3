import { type Policy, type Spec, type StepPattern, canonicalJson, matchesTool } from '@plimsoll/contracts'
import { countedIn } from '../specs/conditions.js'
import QuickLRU from 'quick-lru'
import { compileExpression } from '../specs/expressions.js'
import { placedInSpec } from '../specs/walk.js'

/** Most characters of JSON of one disclosed argument; a longer one is left out. */
export const DISCLOSED_VALUE_CHARS_MAX = 4_096

/** Most characters of JSON of all disclosed arguments of a step; those beyond are left out. */
export const DISCLOSED_CHARS_MAX = 16_384

/** Gives the arguments of a step that are sent; undefined where none are. */
export type Disclose = (
  tool: string,
  values: Readonly<Record<string, unknown>> | undefined,
) => Record<string, unknown> | undefined

/** Among the names of arguments: every argument of the step. */
const EVERY = '*'

/** Most tools whose disclosed names are kept. */
const TOOLS_MAX = 4096

/** For clients. Only the arguments that `rules` name are sent (`*`: every argument); where several rules match a tool, those of all of them. */
export function createDisclosure(rules: readonly Disclosure[] = []): Disclose {
  if (rules.length === 0) return () => undefined
  const known = new QuickLRU<string, readonly string[]>({ maxSize: TOOLS_MAX })

  function namesOf(tool: string): readonly string[] {
    const found = known.get(tool)
    if (found) return found
    const matching = rules.filter(({ tools }) => tools.some((pattern) => matchesTool(pattern, tool)))
    const names = [...new Set(matching.flatMap((rule) => rule.arguments))]
    known.set(tool, names)
    return names
  }

  return (tool, values = {}) => {
    const names = namesOf(tool)
    return names.length === 0 ? undefined : disclosed(names, values)
  }
}

/**
 * An argument that the step does not have is sent as `null`: known to be missing. An argument that is too long is left out, so it is
 * unknown: sending a part would claim that the rest is missing.
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
    // A copy: the caller may change the original.
    reported.push([name, JSON.parse(text)])
  }
  const named = new Set(names)
  const takesAll = named.delete(EVERY)
  for (const name of named) report(name, 0)
  // Names that no rule lists come from the agent: they count too.
  if (takesAll)
    for (const name of Object.keys(values))
      if (!named.has(name) && values[name] !== undefined) report(name, name.length)
  return Object.fromEntries(reported)
}

/** The arguments of tools that clients disclose. */
export interface Disclosure {
  /** Names of tools, `*` standing for any run of characters. */
  readonly tools: readonly string[]
  /** Names of arguments, each sent whole. `*`: every argument. */
  readonly arguments: readonly string[]
}

/**
 * The arguments that a policy's expressions read, for the `disclose` of a client: a spec counts an undisclosed argument against the step.
 * Throws `document_invalid` for an expression that does not compile.
 *
 * @example disclosuresOf(policy) // [{ tools: ['send_*'], arguments: ['to', 'amount'] }]
 */
export function disclosuresOf({ specs, declassifiers = [] }: Policy): readonly Disclosure[] {
  const read = [...specs.flatMap(readBySpec), ...declassifiers.map(({ step }) => readBy(step))]
  const byTools = new Map<string, { tools: readonly string[]; names: Set<string> }>()
  for (const { tools = ['*'], expression } of read) {
    if (expression === undefined) continue
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
  readonly tools: readonly string[] | undefined
  readonly expression: string | undefined
}

const readBy = ({ tools, where }: StepPattern): Read => ({ tools, expression: where })

function readBySpec(spec: Spec): Read[] {
  const patterns = placedInSpec(spec).map(({ pattern, path }) =>
    // The outgoing steps of a flow are the spec's own.
    readBy(path.join('.') === 'flow.to' ? { tools: spec.tools, ...pattern } : pattern),
  )
  const counted = countedIn(spec).map(({ text }): Read => ({ tools: spec.tools, expression: text }))
  return [...patterns, ...counted]
}
