import { matchesTool, type Catalogue, type ToolLabels } from '@plimsoll/contracts'

/** What a tool is, by its name; undefined where nothing says. */
export type Labeller = (tool: string) => ToolLabels | undefined

/**
 * A look-up over `catalogue`: an exact name in O(1), else the first pattern that matches, in the catalogue's order.
 *
 * @example createLabeller(catalogue)('send_email')?.capability // 'network'
 */
export function createLabeller(catalogue: Catalogue): Labeller {
  const exact = new Map<string, ToolLabels>()
  const patterns: { pattern: string; labels: ToolLabels }[] = []
  for (const { tools, labels } of catalogue.tools)
    for (const pattern of tools) {
      if (pattern.includes('*')) patterns.push({ pattern, labels })
      else if (!exact.has(pattern)) exact.set(pattern, labels)
    }
  return (tool) => exact.get(tool) ?? patterns.find(({ pattern }) => matchesTool(pattern, tool))?.labels
}
