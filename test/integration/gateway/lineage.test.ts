import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashOfKey, parsePrincipals, startGateway } from '@plimsoll/gateway'
import { type LineageStore, noMetrics, silentLogger } from '@plimsoll/runtime'
import { createEmbeddedLineages, type EmbeddedLineages } from '@plimsoll/runtime/embedded'
import { createRedisLineages } from '@plimsoll/runtime/redis'
import { redis, uniquePrefix } from '../../support/components/components.js'
import { deploy, untaskedDocuments } from '../../support/sessions/deployment.js'
import { startGatewayOf } from '../../support/gateway.js'

const IDENTITY_KEY = 'the identity key of this deployment'
const CLIENT = {
  timeoutMs: 60_000,
  fingerprintKey: 'a key of fingerprints for tests',
  identityKey: IDENTITY_KEY,
}
const FILE = { name: 'Ada Example', contract: 'KX-20931-B' }
const LEAK = { to: 'office@example.org', body: 'Contract KX-20931-B' }
const HARMLESS = { to: 'office@example.org', body: 'Have a good day' }

const PRINCIPALS = parsePrincipals({
  principals: [
    { name: 'bot', trust: 'agent', keys: [hashOfKey('bot')] },
    { name: 'other', trust: 'agent', keys: [hashOfKey('other')] },
    { name: 'third', trust: 'agent', keys: [hashOfKey('third')] },
    { name: 'host', trust: 'host', keys: [hashOfKey('host')] },
  ],
})

interface Answered {
  readonly session: string
  readonly mayRun: boolean
  readonly callId: string
  readonly error?: { readonly code: string }
}

type Post = (path: string, body: object) => Promise<Answered>

interface Fixture {
  /** Sends a request to one of two gateways as a principal. */
  as(principal: string, gateway: 0 | 1): Post
  readonly lineages: readonly LineageStore[]
}

async function onGateways(
  open: () => LineageStore,
  body: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  const deployment = await deploy('embedded', { documents: await untaskedDocuments() })
  const lineages = [open(), open()]
  try {
    await deployment.startMonitor({ identity: { keys: [IDENTITY_KEY], isRequired: true } }).started
    const gateways = await Promise.all(
      lineages.map((store) =>
        startGatewayOf(deployment, { principals: PRINCIPALS, client: CLIENT, lineages: store }),
      ),
    )
    const as = (principal: string, gateway: 0 | 1): Post => {
      return async (path, reported) => {
        const headers = { authorization: `Bearer ${principal}`, 'content-type': 'application/json' }
        const reply = await fetch(`${gateways[gateway]?.url}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(reported),
        })
        const text = await reply.text()
        return (text === '' ? {} : JSON.parse(text)) as Answered
      }
    }
    try {
      await body({ as, lineages })
      assert.deepEqual(deployment.seen.deadLetters, [], 'the gateways vouch for all that they publish')
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.close()))
    }
  } finally {
    await Promise.all(lineages.map((store) => store.close()))
    await deployment.close()
  }
}

async function readSecret(post: Post, session: string): Promise<void> {
  const { mayRun, callId } = await post('/v1/check', { session, tool: 'get_customer', arguments: { id: 7 } })
  assert.equal(mayRun, true)
  await post('/v1/complete', { session, callId, result: FILE })
}

const send = (post: Post, session: string, mail: object) =>
  post('/v1/check', { session, tool: 'send_email', arguments: mail })

const begin = async (post: Post, over: object = {}) => (await post('/v1/sessions', over)).session

const shared: EmbeddedLineages = new Map()
const prefix = uniquePrefix()
const STORES: readonly (readonly [string, string | false, () => LineageStore])[] = [
  ['in memory', false, () => createEmbeddedLineages({ lineages: shared })],
  ['in redis', redis.skip, () => createRedisLineages({ url: redis.url, prefix })],
]

for (const [where, skip, open] of STORES)
  describe(`an agent that splits its steps over sessions and gateways, lineages ${where}`, { skip }, () => {
    test('keeps its inherited state in a new session, under another user name, and in a session started before', () =>
      onGateways(open, async ({ as }) => {
        const [here, there] = [as('bot', 0), as('bot', 1)]
        const before = await begin(there, { user: 'ann' })
        const reader = await begin(here, { user: 'ann' })
        assert.equal((await send(there, before, HARMLESS)).mayRun, true)
        await readSecret(here, reader)
        assert.equal((await send(there, before, LEAK)).mayRun, false)
        assert.equal((await send(there, await begin(there, { user: 'bob' }), LEAK)).mayRun, false)
        await here('/v1/end', { session: reader })
        const restarted = await begin(there, {
          user: 'ann',
          task: 'Mail contract KX-20931-B to the office',
        })
        assert.equal((await send(there, restarted, LEAK)).mayRun, false)
        // An agent's own report may be incomplete: even a seemingly harmless step asks.
        assert.equal((await send(there, restarted, HARMLESS)).mayRun, false)
      }))

    test('keeps its inherited state when an earlier session continues at another gateway', () =>
      onGateways(open, async ({ as }) => {
        const [here, there] = [as('third', 0), as('third', 1)]
        const before = await begin(there)
        await readSecret(here, await begin(here))
        assert.equal((await send(here, before, LEAK)).mayRun, false)
      }))

    test('inherited state affects neither other agents nor other users of a host', () =>
      onGateways(open, async ({ as }) => {
        const other = as('other', 1)
        assert.equal((await send(other, await begin(other), LEAK)).mayRun, true)
        const host = as('host', 0)
        await readSecret(host, await begin(host, { user: 'ann' }))
        assert.equal((await send(host, await begin(host, { user: 'bob' }), LEAK)).mayRun, true)
      }))
  })

test('without access to inherited state no session starts and no step runs', () =>
  onGateways(createEmbeddedLineages, async ({ as, lineages }) => {
    const bot = as('bot', 0)
    const session = await begin(bot)
    await lineages[0]?.close()
    assert.equal((await send(bot, session, HARMLESS)).error?.code, 'closed')
    assert.equal((await bot('/v1/sessions', {})).error?.code, 'closed')
    const host = as('host', 0)
    assert.equal((await send(host, await begin(host), HARMLESS)).mayRun, true)
  }))

test('a gateway is ready while its lineages answer and the decisions can be read', async () => {
  let ping = async () => {}
  const lineages = { ...createEmbeddedLineages(), ping: () => ping() }
  const deployment = await deploy('embedded')
  try {
    const { log, topics } = deployment
    const options = { principals: PRINCIPALS, port: 0, metrics: noMetrics, logger: silentLogger }
    const gateway = await startGateway({ log, topics, lineages, ...options })
    assert.equal(await gateway.notReady(), undefined)
    ping = () => Promise.reject(new Error('the store is away'))
    assert.equal(await gateway.notReady(), 'the store is away')
    ping = async () => {}
    await gateway.close()
    assert.equal(await gateway.notReady(), 'it ends')
  } finally {
    await deployment.close()
  }
})
