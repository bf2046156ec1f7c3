import type { Tool } from '@modelcontextprotocol/server'
import { type Catalogue, type ClaimedLabels, type ToolLabels, claimedLabelsSchema } from '@plimsoll/contracts'
import { type ToolDefinition, createLabeller, labelTool } from '@plimsoll/labels'
import { metaOf } from '../meta.js'
import type { Upstream } from '../upstream/upstream.js'
import { exposedName } from './names.js'
import { type ServerPins, stateOf } from './pins.js'

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

/** A tool that agents may call. */
export interface OfferedTool {
  /** As agents know it. */
  readonly name: string
  /** As it is asked about: the name that catalogue and policy know. */
  readonly asked: string
  /** As it was approved. */
  readonly tool: Tool
  readonly upstream: Upstream
  /** What its server says of it where that is worse than what is known. */
  readonly claimed: ClaimedLabels
  /** What the catalogue says of it. */
  readonly labels: ToolLabels | undefined
}

/** A tool that is there and that nobody may call, with the reason in a few words. */
export interface WithheldTool {
  readonly name: string
  readonly server: string
  readonly reason: WithheldReason
  readonly why: string
}

/** `twice`: its server lists two of one name. `unnamed`: its name is none that can be used. */
export type WithheldReason = 'new' | 'changed' | 'unlabelled' | 'twice' | 'unnamed'

export interface Offer {
  readonly offered: readonly OfferedTool[]
  readonly withheld: readonly WithheldTool[]
}

export interface OfferTerms {
  readonly pins: ServerPins
  readonly catalogue: Catalogue
  readonly requireLabels: boolean
}

/** What of the tools that `upstream` lists agents are offered, and what is kept from them. */
export function offerOf(upstream: Upstream, tools: readonly Tool[], terms: OfferTerms): Offer {
  const offered: OfferedTool[] = []
  const withheld: WithheldTool[] = []
  const seen = new Map<string, number>()
  for (const { name } of tools) seen.set(name, (seen.get(name) ?? 0) + 1)
  for (const tool of tools) {
    const judged = judge(upstream, tool, (seen.get(tool.name) ?? 0) > 1, terms)
    if ('reason' in judged) withheld.push(judged)
    else offered.push(judged)
  }
  return { offered, withheld }
}

function judge(
  upstream: Upstream,
  tool: Tool,
  isTwice: boolean,
  { pins, catalogue, requireLabels }: OfferTerms,
): OfferedTool | WithheldTool {
  const { name: server, spec } = upstream
  const name = exposedName(server, tool.name, spec.prefix)
  const withhold = (reason: WithheldReason, why: string): WithheldTool => ({
    name: name ?? tool.name.slice(0, 200),
    server,
    reason,
    why,
  })
  if (name === undefined) return withhold('unnamed', 'its name cannot be used')
  if (isTwice) return withhold('twice', 'its server lists several tools of that name')
  const pin = stateOf(tool, pins)
  if (pin.state === 'new') return withhold('new', 'its server did not list it when its tools were approved')
  if (pin.state === 'changed') {
    const parts = pin.parts.length > 0 ? ` (${pin.parts.join(', ')})` : ''
    return withhold('changed', `its definition has changed since it was approved${parts}`)
  }
  const asked = spec.trustNames ? tool.name : exposedName(server, tool.name, true)
  if (asked === undefined) return withhold('unnamed', 'its name cannot be used')
  const labels = createLabeller(catalogue)(asked)
  if (requireLabels && !labels) return withhold('unlabelled', 'no catalogue labels it')
  return { name, asked, tool, upstream, claimed: claimedOf(tool, asked, catalogue), labels }
}
