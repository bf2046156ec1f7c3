import type { McpLimits } from '../limits.js'
import { frozen, type Arguments } from './frozen.js'

/** A call's arguments as they are asked about and run, or what is wrong with their size. */
export type Bounded = { readonly args: Arguments } | { readonly problem: string }

/** A copy of a call's arguments that nobody can change. Looks at no more than is allowed. */
export function bounded(
  values: Arguments,
  { argumentBytesMax, argumentDepthMax }: Pick<McpLimits, 'argumentBytesMax' | 'argumentDepthMax'>,
): Bounded {
  if (depthOf(values, argumentDepthMax) > argumentDepthMax)
    return { problem: `its arguments are nested more than ${argumentDepthMax} deep` }
  const text = JSON.stringify(values)
  if (Buffer.byteLength(text) > argumentBytesMax)
    return { problem: `its arguments are longer than ${argumentBytesMax} bytes` }
  return { args: frozen(text) }
}

/** How deep objects and lists stand within each other; stops beyond `max`. Without recursion, which is what is guarded against. */
function depthOf(value: unknown, max: number): number {
  let level: readonly unknown[] = [value]
  for (let depth = 0; ; depth++) {
    const inner = level.flatMap(membersOf)
    if (inner.length === 0 || depth > max) return depth
    level = inner
  }
}

const membersOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).filter((member) => typeof member === 'object' && member !== null)
    : []
