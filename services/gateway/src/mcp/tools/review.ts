import type { Tool } from '@modelcontextprotocol/server'
import { silentLogger } from '@plimsoll/runtime'
import { MCP_LIMITS } from '../limits.js'
import type { ServerSpec, ServersDocument } from '../servers-file.js'
import { createLinks } from '../client/links.js'
import { LEGACY, notFound } from '../rpc/messages.js'
import { createUpstream } from '../upstream/upstream.js'
import { listAll } from './list-all.js'
import { type PinStore, pinsOf, stateOf } from './pins.js'

/** A tool compared with its approved definition. `gone`: its server lists it no more. */
export interface ToolReview {
  readonly tool: string
  readonly state: 'approved' | 'new' | 'changed' | 'gone'
  /** The parts of the definition that changed. */
  readonly parts: readonly string[]
  readonly description: string
}

export interface ServerReview {
  readonly server: string
  readonly tools: readonly ToolReview[]
  /** Approves the reviewed tools, and nothing that the server lists later. */
  approve(): Promise<void>
}

export interface ReviewOptions {
  readonly servers: ServersDocument
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly pins: PinStore
  readonly now: () => number
}

/** Lists each server's tools and compares them with the approved ones. Rejects with `tool_server_failed` and `document_invalid`. */
export async function reviewTools(options: ReviewOptions): Promise<readonly ServerReview[]> {
  const { pins, now } = options
  const reviews: ServerReview[] = []
  for (const [server, spec] of Object.entries(options.servers.servers)) {
    const tools = await listTools(server, spec, options.environment)
    const known = (await pins.of(server)) ?? {}
    const gone = Object.keys(known).filter((tool) => tools.every((listed) => listed.name !== tool))
    const reviewed = tools.map((tool): ToolReview => {
      const pin = stateOf(tool, known)
      const parts = pin.state === 'changed' ? pin.parts : []
      const state = pin.state === 'unreviewed' ? 'new' : pin.state
      return { tool: tool.name, state, parts, description: tool.description ?? '' }
    })
    reviews.push({
      server,
      tools: [
        ...reviewed,
        ...gone.map((tool): ToolReview => ({ tool, state: 'gone', parts: [], description: '' })),
      ],
      approve: () => pins.put(server, pinsOf(tools, now())),
    })
  }
  return reviews
}

/** What a client can do, so that servers list all of their tools. */
const CAPABLE = {
  info: { name: 'plimsoll', version: '1' },
  capabilities: { sampling: {}, roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
}

async function listTools(
  name: string,
  spec: ServerSpec,
  environment: ReviewOptions['environment'],
): Promise<readonly Tool[]> {
  const quiet = { limits: MCP_LIMITS, logger: silentLogger }
  const upstreams = [createUpstream({ name, spec, environment, ...quiet })]
  const links = createLinks({
    upstreams,
    client: { era: LEGACY, ...CAPABLE },
    limits: MCP_LIMITS,
    onNotification: () => {},
    onRequest: (_, { method }) => Promise.reject(notFound(method)),
    onConnected: () => {},
  })
  try {
    return await listAll(name, (sent) => links.request(name, sent), MCP_LIMITS)
  } finally {
    await links.close()
  }
}
