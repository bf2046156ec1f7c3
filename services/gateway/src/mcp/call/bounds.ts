import type { McpLimits } from '../limits.js'

/** What is wrong with the size of a call's arguments; undefined where nothing is. Looks at no more than is allowed. */
export function boundsProblem(
  values: unknown,
  { argumentBytesMax, argumentDepthMax }: Pick<McpLimits, 'argumentBytesMax' | 'argumentDepthMax'>,
): string | undefined {
  if (depthOf(values, argumentDepthMax) > argumentDepthMax)
    return `its arguments are nested more than ${argumentDepthMax} deep`
  if (Buffer.byteLength(JSON.stringify(values)) > argumentBytesMax)
    return `its arguments are longer than ${argumentBytesMax} bytes`
  return undefined
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
