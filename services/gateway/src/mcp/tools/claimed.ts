import { claimedLabelsSchema, type Catalogue, type ClaimedLabels } from '@plimsoll/contracts'
import { createLabeller, labelTool, type ToolDefinition } from '@plimsoll/labels'
import type { Tool } from '@modelcontextprotocol/server'
import { metaOf } from '../meta.js'

/**
 * What a tool's server says of it, as far as that is worse than what the catalogue knows: hints are nobody's word, so they can
 * only raise. Of a tool that no catalogue knows, everything that can be told of it, and the policy's stand-in besides.
 */
export function claimedOf(tool: Tool, name: string, catalogue: Catalogue): ClaimedLabels {
  const definition: ToolDefinition = {
    name,
    description: tool.description,
    inputSchema: tool.inputSchema,
    annotations: tool.annotations,
    _meta: metaOf(tool),
  }
  const { labels, contradictions } = labelTool(definition, catalogue)
  if (!createLabeller(catalogue)(name)) return labels
  const raised = contradictions
    .filter(({ isWorse, other }) => isWorse && other.source !== 'heuristics')
    .map(({ label, other }) => [label, other.value])
  return claimedLabelsSchema.parse(Object.fromEntries(raised))
}
