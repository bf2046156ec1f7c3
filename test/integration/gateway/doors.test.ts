import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import {
  createMcpPlugin,
  createMemoryLineages,
  createMemoryPins,
  parseServers,
  type Gateway,
  type GatewayOptions,
} from '@plimsoll/gateway'
import { defaultDocuments } from '@plimsoll/policy'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { officialServer } from '../../e2e/documents/mcp-servers.js'
import { untaskedDocuments } from '../../support/sessions/deployment.js'
import { withGateway, type GatewayDeployment } from '../../support/gateway-world.js'

const SECRET = 'Patient file 55-0931-Z: Tom Reed, insured as RT-7741902, is treated for anaemia.'
const MAIL = { to: 'desk@example.org', body: 'Tom Reed is insured as RT-7741902 (55-0931-Z)' }

/** Replaces the gateway by another one. */
async function replaced(
  deployment: GatewayDeployment,
  options: Partial<GatewayOptions> = {},
): Promise<Gateway> {
  await deployment.gateway.close()
  return deployment.startGateway(options)
}

async function post(gateway: Gateway, route: string, body: object, by = 'desk') {
  const headers = { authorization: `Bearer key-of-${by}`, 'content-type': 'application/json' }
  const reply = await fetch(`${gateway.url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.text()
  return (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>
}

async function readsOverHttp(gateway: Gateway, which: object, by?: string): Promise<void> {
  const read = await post(gateway, '/v1/check', { ...which, tool: 'get_customer', arguments: { id: 7 } }, by)
  assert.equal(read['mayRun'], true)
  const { callId } = read
  await post(gateway, '/v1/complete', { ...which, callId, result: SECRET }, by)
}

const sendsOverHttp = (gateway: Gateway, which: object, by?: string) =>
  post(gateway, '/v1/check', { ...which, tool: 'send_email', arguments: MAIL }, by)

const onGateway = (
  play: (deployment: GatewayDeployment) => Promise<void>,
  options?: Partial<GatewayOptions>,
) =>
  withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor({ documents: [await untaskedDocuments()] }).started
      await play(deployment)
    },
    options,
  )

describe('a gateway is replaced between a sensitive read and a send', () => {
  for (const by of ['desk', 'bot'])
    test(`at /v1/check without a session, by \`${by}\``, () =>
      onGateway(async (deployment) => {
        await readsOverHttp(deployment.gateway, { user: 'ann' }, by)
        const other = await replaced(deployment)
        const sent = await sendsOverHttp(other, { user: 'ann' }, by)
        assert.equal(sent['mayRun'], false, String(sent['message']))
      }))

  test('at /v1/check without a session, after an earlier one at the other gateway', () =>
    onGateway(async (deployment) => {
      const other = await deployment.startGateway()
      await post(other, '/v1/check', { user: 'ann', tool: 'list_files' })
      await readsOverHttp(deployment.gateway, { user: 'ann' })
      assert.equal((await sendsOverHttp(other, { user: 'ann' }))['verdict'], 'block', 'its values are known')
      const another = await sendsOverHttp(other, { user: 'bob' })
      assert.equal(another['mayRun'], true, 'users of a host are not held to each other')
    }))

  test('at /v1/check without a session, when no other process knows what was read', () =>
    onGateway(async (deployment) => {
      await readsOverHttp(deployment.gateway, {})
      const other = await replaced(deployment, { lineages: createMemoryLineages() })
      const sent = await sendsOverHttp(other, {})
      assert.equal(sent['mayRun'], false, JSON.stringify(sent))
    }))

  test('on a stream', () =>
    onGateway(async (deployment) => {
      for (const name of ['desk', 'bot'] as const) {
        const client = await deployment.connect(name)
        const session = await client.startSession({ id: 'run-1' })
        const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
        await session.complete(read, { result: SECRET })
        const { url } = await deployment.startGateway()
        const elsewhere = await deployment.connect(name, { url })
        const resumed = await elsewhere.resumeSession({ id: 'run-1' })
        assert.equal((await resumed.propose({ tool: 'send_email', arguments: MAIL })).mayRun, false)
      }
    }))
})

/** Treats the memory server as a file store, where a write sends data. */
async function pluginOf(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'doors-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'memory.jsonl')
  const entity = { type: 'entity', name: 'Reed', entityType: 'patient', observations: [SECRET] }
  await writeFile(file, `${JSON.stringify(entity)}\n`)
  const [command, ...args] = officialServer('memory')
  const server = { command, args, env: ['MEMORY_FILE_PATH'], trustNames: true, prefix: false }
  const document = { schema: 1, kind: 'plimsoll.mcp-servers', servers: { memory: server } }
  return (catalogue: Catalogue) =>
    createMcpPlugin({
      servers: parseServers(JSON.stringify(document), 'servers'),
      environment: { MEMORY_FILE_PATH: file },
      pins: createMemoryPins(),
      catalogue,
    })
}

async function documentsOf() {
  const shipped = await defaultDocuments()
  const tools: Catalogue['tools'] = [
    {
      tools: ['search_nodes'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['create_entities'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
  ]
  return { ...shipped, catalogue: { ...shipped.catalogue, name: 'files', tools } }
}

async function connect(t: TestContext, gateway: Gateway, isLegacy: boolean, name: string) {
  const mode = isLegacy ? ('legacy' as const) : { pin: '2026-07-28' }
  const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer key-of-${name}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { requestInit: { headers } }),
  )
  t.after(() => client.close().catch(() => {}))
  return async (tool: string, args: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name: tool, arguments: args })).content)
}

describe('a gateway is replaced between a sensitive read and a send, over MCP', () => {
  const note = { entities: [{ name: 'Office', entityType: 'note', observations: [MAIL.body] }] }
  for (const by of ['desk', 'bot'])
    for (const isLegacy of [true, false])
      test(`${isLegacy ? 'with' : 'without'} connections that are sessions, by \`${by}\``, async (t) => {
        const documents = await documentsOf()
        const plugin = await pluginOf(t)
        const options = { plugins: [plugin(documents.catalogue)], client: { catalogue: documents.catalogue } }
        await withGateway(
          'embedded',
          async (deployment) => {
            await deployment.startMonitor({ documents: [documents] }).started
            const call = await connect(t, deployment.gateway, isLegacy, by)
            assert.match(await call('search_nodes', { query: 'Reed' }), /RT-7741902/)
            const other = await replaced(deployment, { ...options, plugins: [plugin(documents.catalogue)] })
            const again = await connect(t, other, isLegacy, by)
            assert.match(await again('create_entities', note), /was blocked: .*sensitive|waits for approval/)
          },
          options,
        )
      })
})
