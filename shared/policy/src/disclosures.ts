import type { Policy, Spec, SpecOf, StepPattern } from '@plimsoll/contracts'
import { compileExpression } from './expressions.js'

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
