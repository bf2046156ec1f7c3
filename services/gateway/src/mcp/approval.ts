import { silentLogger } from '@plimsoll/runtime'
import type { Tool } from '@modelcontextprotocol/server'
import { MCP_LIMITS } from './limits.js'
import type { ServersDocument } from './servers-file.js'
import type { PinStore } from './tools/pin-store.js'
import { pinsOf, stateOf } from './tools/pins.js'
import { createUpstream } from './upstream/upstream.js'

/** How a tool stands against what was approved. `gone`: it was approved, and its server lists it no more. */
export interface ToolReview {
  readonly tool: string
  readonly state: 'approved' | 'new' | 'changed' | 'gone'
  /** What has changed. */
  readonly parts: readonly string[]
  readonly description: string
}

export interface ServerReview {
  readonly server: string
  readonly tools: readonly ToolReview[]
  /** Approves what was shown, and nothing that the server has come to list since. */
  approve(): Promise<void>
}

export interface ReviewOptions {
  readonly servers: ServersDocument
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pins: PinStore
  readonly now: () => number
}

/** Asks each server for its tools and holds them against what was approved. Rejects with `tool_server_failed` and `document_invalid`. */
export async function reviewTools(options: ReviewOptions): Promise<readonly ServerReview[]> {
  const reviews: ServerReview[] = []
  for (const name of Object.keys(options.servers.servers)) reviews.push(await reviewServer(name, options))
  return reviews
}

async function reviewServer(
  name: string,
  { servers, environment, pins, now }: ReviewOptions,
): Promise<ServerReview> {
  const tools = await toolsOf(name, servers, environment)
  const known = (await pins.of(name)) ?? {}
  const gone = Object.keys(known).filter((tool) => tools.every((listed) => listed.name !== tool))
  const reviewed = tools.map((tool): ToolReview => {
    const pin = stateOf(tool, known)
    const parts = pin.state === 'changed' ? pin.parts : []
    return { tool: tool.name, state: pin.state, parts, description: tool.description ?? '' }
  })
  return {
    server: name,
    tools: [
      ...reviewed,
      ...gone.map((tool): ToolReview => ({ tool, state: 'gone', parts: [], description: '' })),
    ],
    approve: () => pins.put(name, pinsOf(tools, now())),
  }
}

async function toolsOf(
  name: string,
  { servers }: ServersDocument,
  environment: ReviewOptions['environment'],
): Promise<readonly Tool[]> {
  const spec = servers[name]
  if (!spec) return []
  const upstream = createUpstream({
    name,
    spec,
    environment,
    limits: MCP_LIMITS,
    logger: silentLogger,
    onChanged: () => {},
  })
  try {
    return await upstream.tools()
  } finally {
    await upstream.close()
  }
}
