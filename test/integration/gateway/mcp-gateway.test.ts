import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { createMcpPlugin, createMemoryPins, parseServers } from '@plimsoll/gateway'
import { defaultDocuments, type Documents } from '@plimsoll/policy'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { officialServer } from '../../e2e/documents/mcp-servers.js'
import { approvalOf } from '../../support/sessions/approvals.js'
import { waitUntil } from '../../support/wait-until.js'
import { withoutPair } from '../../support/components/components.js'
import { decisionsOf } from '../../support/sessions/deployment.js'
import { withGateway, type GatewayDeployment } from '../../support/gateway-world.js'

const SECRET = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'

/** Treats the memory server as a shared store of clients' cases, where a write sends data. */
async function documentsOf(): Promise<Documents> {
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
  return {
    ...shipped,
    catalogue: { ...shipped.catalogue, name: 'cases', tools },
    policy: {
      ...shipped.policy,
      name: 'cases',
      line: { present: 'block', absent: 'confirm', unknown: 'confirm' },
      irreversible: 'allow',
    },
  }
}

/** A file of the official server `memory` with one case. */
async function memoryFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mcp-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'memory.jsonl')
  const entity = { type: 'entity', name: 'Moor', entityType: 'case', observations: [SECRET] }
  await writeFile(file, `${JSON.stringify(entity)}\n`)
  return file
}

function pluginOf(memory: string, catalogue: Catalogue) {
  const [command, ...args] = officialServer('memory')
  const server = { command, args, env: ['MEMORY_FILE_PATH'], trustNames: true, prefix: false }
  const document = { schema: 1, kind: 'plimsoll.mcp-servers', servers: { memory: server } }
  return createMcpPlugin({
    servers: parseServers(JSON.stringify(document), 'servers'),
    environment: { MEMORY_FILE_PATH: memory },
    pins: createMemoryPins(),
    catalogue,
  })
}

async function connect(t: TestContext, { gateway }: GatewayDeployment) {
  const client = new Client(
    { name: 'test-client', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const headers = { authorization: 'Bearer key-of-desk' }
  const url = new URL('/mcp', gateway.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  t.after(() => client.close())
  return async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    return { isError, text: content.map((block) => (block.type === 'text' ? block.text : '')).join('\n') }
  }
}

const entityOf = (name: string, observation: string) => ({
  entities: [{ name, entityType: 'note', observations: [observation] }],
})

test(
  'calls to an official server behind /mcp are judged by monitors, approved in the queue, or blocked with the reason',
  { skip: withoutPair },
  async (t) => {
    const documents = await documentsOf()
    const { catalogue } = documents
    const memory = await memoryFile(t)
    await withGateway(
      'real',
      async (deployment) => {
        await deployment.startMonitor({ documents: [documents] }).started
        const call = await connect(t, deployment)

        const before = await call('create_entities', entityOf('desk', 'opens at nine'))
        assert.equal(before.isError, false, before.text)
        const read = await call('search_nodes', { query: 'Moor' })
        assert.match(read.text, /7730194422/)

        const waiting = await call('create_entities', entityOf('door', 'the green one'))
        const confirmed = () => decisionsOf(deployment).filter(({ verdict }) => verdict === 'confirm')
        await waitUntil('the decision is in the log', () => confirmed().length > 0)
        const [asked, ...more] = confirmed()
        assert.deepEqual(more, [])
        assert.ok(asked && waiting.text.includes(`plimsoll approve '${asked.id}'`), waiting.text)
        assert.doesNotMatch(await readFile(memory, 'utf8'), /the green one/)
        await deployment.publish([approvalOf(asked)])
        // The same call gets the answer once the gateway has it.
        const again = () => call('create_entities', entityOf('door', 'the green one'))
        await waitUntil('the approved call runs', async () => !(await again()).isError)
        assert.match(await readFile(memory, 'utf8'), /the green one/)

        const leak = await call(
          'create_entities',
          entityOf('press', 'Ann Moor (KX-48217) has account 7730194422, owes 1,240.'),
        )
        assert.equal(leak.isError, true)
        assert.match(leak.text, /`create_entities` was blocked: .*sensitive data/)
        assert.doesNotMatch(await readFile(memory, 'utf8'), /press/)
        assert.deepEqual(deployment.seen.deadLetters, [])
      },
      { client: { catalogue }, plugins: [pluginOf(memory, catalogue)] },
    )
  },
)
