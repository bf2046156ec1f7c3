import type { Catalogue } from '@plimsoll/contracts'
import { type GatewayPlugin, createMcpPlugin, createMemoryPins, parseServers } from '@plimsoll/gateway'
import { type Documents, defaultDocuments } from '@plimsoll/policy'

/** What the servers' tools are: the suite is not about verdicts. */
export async function documentsOf(): Promise<Documents> {
  const shipped = await defaultDocuments()
  const tools: Catalogue['tools'] = [
    {
      tools: ['test_*'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
  ]
  const { catalogue } = shipped
  return {
    ...shipped,
    catalogue: { ...catalogue, name: 'everything', tools: [...tools, ...catalogue.tools] },
  }
}

type Servers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A plugin of the gateway in front of servers, whose tools are known by their own names. */
export function pluginOf(given: Servers, catalogue: Catalogue): GatewayPlugin {
  const servers = Object.fromEntries(
    Object.entries(given).map(([name, server]) => [name, { trustNames: true, ...server }]),
  )
  const document = { schema: 1, kind: 'plimsoll.mcp-servers', servers }
  return createMcpPlugin({
    servers: parseServers(JSON.stringify(document), 'servers'),
    environment: {},
    pins: createMemoryPins(),
    catalogue,
  })
}
