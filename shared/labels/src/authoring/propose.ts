import { type Catalogue, patternSchema } from '@plimsoll/contracts'
import type { ToolDefinition } from '../tools/claim.js'
import { type LabelToolOptions, type ToolLabelling, labelTool } from '../tools/label-tool.js'

/** A tool that a catalogue cannot hold. */
export interface RefusedTool {
  readonly tool: string
  readonly why: string
}

export interface Proposal {
  /** Tools with doubts first, then by lowest confidence. */
  readonly labellings: readonly ToolLabelling[]
  readonly refused: readonly RefusedTool[]
}

/**
 * Labels each of `tools`. Refuses names that a catalogue cannot hold or would read as a pattern: a tool named `*` would label every other.
 */
export function proposeLabels(
  tools: readonly ToolDefinition[],
  catalogue?: Catalogue,
  options?: LabelToolOptions,
): Proposal {
  const refused: RefusedTool[] = []
  const seen = new Set<string>()
  const labellings = tools.flatMap((tool) => {
    const why = refusalOf(tool.name, seen)
    seen.add(tool.name)
    if (why !== undefined) refused.push({ tool: tool.name, why })
    return why === undefined ? [labelTool(tool, catalogue, options)] : []
  })
  return { labellings: labellings.sort(byDoubt), refused }
}

function refusalOf(name: string, seen: ReadonlySet<string>): string | undefined {
  if (name.includes('*')) return 'its name would be a pattern'
  if (!patternSchema.safeParse(name).success)
    return 'its name is not 1 to 200 printable ASCII characters without spaces'
  return seen.has(name) ? 'listed twice; the first counts' : undefined
}

const byDoubt = (a: ToolLabelling, b: ToolLabelling): number =>
  Number(b.doubts.length > 0) - Number(a.doubts.length > 0) || leastConfidence(a) - leastConfidence(b)

/** The lowest confidence of a tool's labels. */
const leastConfidence = ({ perLabel }: ToolLabelling): number =>
  Math.min(...Object.values(perLabel).map(({ confidence }) => confidence))
