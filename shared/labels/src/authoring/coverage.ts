import type { Catalogue } from '@plimsoll/contracts'
import { createEntryFinder } from '../tools/entries.js'
import { type ToolDefinition, LABEL_NAMES, valueOf } from '../tools/claim.js'
import { labelTool } from '../tools/label-tool.js'

/** How many calls have labelled tools. */
export interface Coverage {
  readonly steps: number
  readonly labelled: number
  /** Calls per unlabelled tool, most calls first. */
  readonly unlabelled: readonly (readonly [tool: string, steps: number])[]
}

/** How many recorded steps `catalogue` labels. `calls` counts the steps per tool. */
export function coverageOf(catalogue: Catalogue, calls: ReadonlyMap<string, number>): Coverage {
  const entryOf = createEntryFinder(catalogue)
  const all = [...calls]
  const unlabelled = all.filter(([tool]) => !entryOf(tool)).sort(([, a], [, b]) => b - a)
  const sum = (rows: readonly (readonly [string, number])[]) =>
    rows.reduce((sum, [, steps]) => sum + steps, 0)
  return { steps: sum(all), labelled: sum(all) - sum(unlabelled), unlabelled }
}

export interface Agreement {
  /** Number of tools labelled as proposed. */
  readonly agreed: number
  /** Names of tools with other labels. */
  readonly corrected: readonly string[]
}

/** How many of `tools` the catalogue labels as `labelTool` would, and which it labels otherwise. */
export function agreementOf(catalogue: Catalogue, tools: readonly ToolDefinition[]): Agreement {
  const entryOf = createEntryFinder(catalogue)
  const labelled = tools.filter(({ name }) => entryOf(name))
  const corrected = labelled.filter((tool) => {
    const labels = entryOf(tool.name)?.labels
    const proposed = labelTool(tool).labels
    return labels && LABEL_NAMES.some((label) => valueOf(labels, label) !== valueOf(proposed, label))
  })
  return { agreed: labelled.length - corrected.length, corrected: corrected.map(({ name }) => name) }
}
