import { type Resource, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { codec } from './everything-content.js'
import { type ChangeNotices, toolsOf, listed } from './everything-tools.js'
import { PROMPTS, prompt } from './everything-prompts.js'
import { RESOURCES, read } from './everything-resources.js'

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
}

/** A server that has all that the scenarios of `@modelcontextprotocol/conformance` demand of one, in both eras. */
export function createEverythingServer(noticesOf: (server: Server) => ChangeNotices): Server {
  const server = new Server(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: CAPABILITIES,
      instructions: 'Every tool is a test.',
      requestState: { verify: codec.verify },
      cacheHints: { 'tools/list': { ttlMs: 1_000, cacheScope: 'public' } },
    },
  )
  const tools = toolsOf(noticesOf(server))
  server.setRequestHandler('tools/list', () => ({ tools: Object.entries(tools).map(listed) }))
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined
    if (tool) return tool.run(context, params.arguments ?? {})
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool \`${params.name}\``)
  })
  server.setRequestHandler('resources/list', () => ({
    resources: RESOURCES.map(({ uri, name, description, mimeType }) => ({
      uri,
      name,
      description,
      mimeType,
    })) as Resource[],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'template',
        mimeType: 'application/json',
        description: 'x',
      },
    ],
  }))
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS] }))
  server.setRequestHandler('prompts/get', ({ params }, context) =>
    prompt(params.name, params.arguments ?? {}, context),
  )
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((value) => value.startsWith(params.argument.value))
    return { completion: { values, total: values.length, hasMore: false } }
  })
  return server
}
