import type { Tool } from '@modelcontextprotocol/server'
import {
  type Catalogue,
  type ClaimedLabels,
  type ToolLabels,
  claimedLabelsSchema,
  toolNameSchema,
} from '@plimsoll/contracts'
import { createLabeller, labelTool } from '@plimsoll/labels'
import type { WithheldReason } from '../../metrics.js'
import { metaOf } from '../meta.js'
import type { ServerSpec } from '../servers-file.js'
import { type ServerPins, stateOf } from './pins.js'

/** Between a server's name, which cannot contain it, and its tool's: so no tools of two servers share a name. */
const SEPARATOR = '__'

/** Models of several vendors refuse longer names. */
const NAME_CHARS_MAX = 128

/** What agents call `tool` of `server`; undefined if it can have no name. */
function exposedName(server: string, tool: string, isPrefixed: boolean): string | undefined {
  const name = isPrefixed ? `${server}${SEPARATOR}${tool}` : tool
  return name.length <= NAME_CHARS_MAX && toolNameSchema.safeParse(name).success ? name : undefined
}

/** The tools of a server, as one client sees them. */
export interface ToolSource {
  readonly name: string
  readonly spec: ServerSpec
  /** Lists them. Rejects with `tool_server_failed`. */
  tools(): Promise<readonly Tool[]>
}

/** A tool that agents may call. */
export interface OfferedTool {
  /** The name for agents. */
  readonly name: string
  /** The name in catalogue and policy, under which it is proposed. */
  readonly asked: string
  /** As it was approved. */
  readonly tool: Tool
  /** The name of its server. */
  readonly server: string
  /** Its server's labels where they are worse than the catalogue's. */
  readonly claimed: ClaimedLabels
  /** The catalogue's labels. */
  readonly labels: ToolLabels | undefined
}

/** A tool that agents may not call. */
export interface WithheldTool {
  readonly name: string
  readonly server: string
  readonly reason: WithheldReason
  readonly why: string
}

export interface Offer {
  readonly offered: readonly OfferedTool[]
  readonly withheld: readonly WithheldTool[]
}

export interface OfferTerms {
  readonly pins: ServerPins
  readonly catalogue: Catalogue
  readonly requireLabels: boolean
  /** Whether tools that a server adds later are offered without an approval. */
  readonly allowsNew: boolean
}

/** Which of the tools that `source` lists are offered to agents, and which are withheld. */
export function offerOf(source: ToolSource, tools: readonly Tool[], terms: OfferTerms): Offer {
  const offered: OfferedTool[] = []
  const withheld: WithheldTool[] = []
  for (const tool of tools) {
    const isTwice = tools.filter(({ name }) => name === tool.name).length > 1
    const judged = judge(source, tool, isTwice, terms)
    if ('reason' in judged) withheld.push(judged)
    else offered.push(judged)
  }
  return { offered, withheld }
}

function judge(
  source: ToolSource,
  tool: Tool,
  isTwice: boolean,
  { pins, catalogue, requireLabels, allowsNew }: OfferTerms,
): OfferedTool | WithheldTool {
  const { name: server, spec } = source
  const name = exposedName(server, tool.name, spec.prefix)
  const pin = stateOf(tool, pins)
  // Nobody has looked at a new tool: no entry for its bare name applies to it.
  const asked = exposedName(server, tool.name, !spec.trustNames || pin.state === 'unreviewed')
  const withhold = (reason: WithheldReason, why: string): WithheldTool => ({
    name: name ?? tool.name.slice(0, 200),
    server,
    reason,
    why,
  })
  if (name === undefined) return withhold('unnamed', 'its name cannot be used')
  if (isTwice) return withhold('twice', 'its server lists several tools of that name')
  if (pin.state === 'new' || (pin.state === 'unreviewed' && !allowsNew))
    return withhold('new', 'its server did not list it when its tools were approved')
  if (pin.state === 'changed') {
    const parts = pin.parts.length > 0 ? ` (${pin.parts.join(', ')})` : ''
    return withhold('changed', `its definition has changed since it was approved${parts}`)
  }
  if (asked === undefined) return withhold('unnamed', 'its name cannot be used')
  const labels = createLabeller(catalogue)(asked)
  if (requireLabels && !labels) return withhold('unlabelled', 'no catalogue labels it')
  return { name, asked, tool, server, claimed: claimedOf(tool, asked, catalogue), labels }
}

/**
 * The labels that a tool's definition claims. For a tool in the catalogue, only those that are worse: a server's hints can only raise. For
 * another tool all of them, and the policy's labels for unlabelled tools apply too.
 */
function claimedOf(tool: Tool, name: string, catalogue: Catalogue): ClaimedLabels {
  const { description, inputSchema, annotations } = tool
  const definition = { name, description, inputSchema, annotations, _meta: metaOf(tool) }
  const { labels, contradictions } = labelTool(definition, catalogue)
  if (!createLabeller(catalogue)(name)) return labels
  const raised = contradictions
    .filter(({ isWorse, other }) => isWorse && other.source !== 'heuristics')
    .map(({ label, other }) => [label, other.value])
  return claimedLabelsSchema.parse(Object.fromEntries(raised))
}
