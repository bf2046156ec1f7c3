import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRig, ERAS, type Called } from '../testing/mcp-rig.js'
import { startUpstream, textResult, toolOf } from '../testing/upstream-server.js'

const TOOLS = ['look', 'refund', 'wipe'].map((name) => toolOf(name))
const TOKEN = 'dev.plimsoll/session'

/** The session that was decided about, out of the id of its decision. */
const sessionOf = ({ meta }: Called): string =>
  (meta['dev.plimsoll/decision'] as { id: string }).id.split('#')[0] ?? ''

test("requests without a connection continue the session of their token, or their principal's", async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const rig = await createRig(t, { upstreams: { shop } })
  const ann = await rig.connect('2026-07-28')
  const elsewhere = await rig.connect('2026-07-28')
  const first = await ann.call('look')
  assert.equal(sessionOf(await ann.call('look')), sessionOf(first))
  assert.equal(sessionOf(await elsewhere.call('look')), sessionOf(first))
  const other = await ann.call('look', {}, { meta: { 'dev.plimsoll/conversation': 'another' } })
  assert.notEqual(sessionOf(other), sessionOf(first))
  const shown = await elsewhere.call('look', {}, { meta: { [TOKEN]: other.meta[TOKEN] } })
  assert.equal(sessionOf(shown), sessionOf(other))
  const bob = await rig.connect('2026-07-28', { by: 'bob' })
  assert.notEqual(sessionOf(await bob.call('look')), sessionOf(first))
})

test('a 2025-era connection is a session', async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const rig = await createRig(t, { upstreams: { shop } })
  const one = await rig.connect('2025-11-25')
  const two = await rig.connect('2025-11-25')
  const first = await one.call('look')
  assert.equal(sessionOf(await one.call('look')), sessionOf(first))
  assert.notEqual(sessionOf(await two.call('look')), sessionOf(first))
})

test("another principal's session cannot be used, by token or by id", async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const rig = await createRig(t, { upstreams: { shop } })
  const ann = await rig.connect('2026-07-28')
  const first = await ann.call('look')
  const bob = await rig.connect('2026-07-28', { by: 'bob' })
  for (const token of [first.meta[TOKEN], sessionOf(first), 'x'])
    await assert.rejects(bob.call('look', {}, { meta: { [TOKEN]: token } }), /no such session/)
  await assert.rejects(ann.call('look', {}, { meta: { [TOKEN]: sessionOf(first) } }), /no such session/)

  const { headers } = await fetch(rig.url, post('ann', initialize))
  const id = headers.get('mcp-session-id') ?? ''
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  assert.equal((await fetch(rig.url, post('ann', list, id))).status, 200)
  assert.equal((await fetch(rig.url, post('bob', list, id))).status, 404)
  assert.equal((await fetch(rig.url, { method: 'DELETE', headers: headersOf('bob', id) })).status, 404)
  assert.equal((await fetch(rig.url, post('ann', list, 'guessed'))).status, 404)
  assert.equal((await fetch(rig.url, post('ann', list))).status, 400)
  assert.equal((await fetch(rig.url, { method: 'POST', body: '{}' })).status, 401)
})

test("ignores an agent's conversation and user: it cannot split itself into sessions", async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const agent = await (
    await createRig(t, { upstreams: { shop } })
  ).connect('2026-07-28', { by: 'agent-smith' })
  const first = await agent.call('look')
  for (const key of ['conversation', 'user'])
    assert.equal(
      sessionOf(await agent.call('look', {}, { meta: { [`dev.plimsoll/${key}`]: 'new' } })),
      sessionOf(first),
    )
})

test("an agent's conversation and user choose no lineage either", async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const scopes: unknown[] = []
  const rig = await createRig(t, { upstreams: { shop }, onOpen: (scope) => void scopes.push(scope) })
  const meta = { 'dev.plimsoll/conversation': 'new', 'dev.plimsoll/user': 'eve' }
  for (const by of ['agent-smith', 'ann'])
    await (await rig.connect('2025-11-25', { by })).call('look', {}, { meta })
  assert.deepEqual(scopes, [{}, { conversation: 'new', user: 'eve' }])
})

test('rejects the state of an approval request if it is used, forged, or of another call', async (t) => {
  const shop = await startUpstream(t, TOOLS)
  const rig = await createRig(t, { upstreams: { shop } })
  const ask = async (args: object, more: object = {}) => {
    const body = modernCall('refund', args, more)
    const response = await fetch(rig.url, post('ann', body, undefined, body.params.name))
    return (await response.json()) as { result?: Asked; error?: { code: number } }
  }
  const yes = { approval: { action: 'accept', content: { approve: true } } }
  const args = { order: 7 }
  const asked = await ask(args)
  assert.equal(asked.result?.resultType, 'input_required')
  const requestState = asked.result.requestState ?? ''

  // With other arguments, a forged state or none: each is a separate approval request.
  assert.equal(
    (await ask({ order: 8 }, { requestState, inputResponses: yes })).result?.resultType,
    'input_required',
  )
  assert.equal((await ask(args, { inputResponses: yes })).result?.resultType, 'input_required')
  assert.equal(
    (await ask(args, { requestState: `${requestState}x`, inputResponses: yes })).error?.code,
    -32602,
  )
  assert.equal(shop.reached.length, 0)

  const ran = await ask(args, { requestState, inputResponses: yes })
  assert.equal(ran.result?.content?.[0]?.text, 'refund is done')
  const replayed = await ask(args, { requestState, inputResponses: yes })
  assert.equal(replayed.result?.resultType, 'input_required')
  assert.equal(shop.reached.length, 1)
})

test('decides parallel calls in order, each after the effects of the earlier ones', async (t) => {
  const shop = await startUpstream(t, TOOLS)
  shop.answer = ({ args }) => textResult(String(args['at']))
  const rig = await createRig(t, { upstreams: { shop } })
  const { call } = await rig.connect('2025-11-25')
  const all = await Promise.all(Array.from({ length: 20 }, (_, at) => call('look', { at })))
  assert.deepEqual(
    all.map(({ text }) => text),
    Array.from({ length: 20 }, (_, at) => String(at)),
  )
  const steps = rig.answers.map(({ decision }) => decision?.step)
  assert.deepEqual(
    steps,
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
})

interface Asked {
  readonly resultType?: string
  readonly requestState?: string
  readonly content?: readonly { readonly text?: string }[]
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

/** A 2026-era call as sent by a client that can ask its user. */
const modernCall = (name: string, args: object, more: object) => ({
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: {
    name,
    arguments: args,
    ...more,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    },
  },
})

function headersOf(by: string, session?: string): Record<string, string> {
  return {
    authorization: `Bearer ${by}`,
    accept: 'application/json, text/event-stream',
    ...(session !== undefined && { 'mcp-session-id': session }),
  }
}

const post = (by: string, body: { method: string }, session?: string, name?: string): RequestInit => ({
  method: 'POST',
  headers: {
    ...headersOf(by, session),
    'content-type': 'application/json',
    ...(name !== undefined && {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': body.method,
      'mcp-name': name,
    }),
  },
  body: JSON.stringify(body),
})

test('a principal that opens many sessions evicts only its own', async (t) => {
  const shop = await startUpstream(t, [toolOf('look')])
  const limits = { connectionsMax: 5, connectionsOfOneMax: 3 }
  const rig = await createRig(t, { upstreams: { shop }, limits })
  const other = await rig.connect('2025-11-25', { by: 'bob' })
  assert.equal((await other.call('look')).isError, false)
  const first = await rig.connect('2025-11-25', { by: 'ann' })
  // Of those that begin at once, some are ended before they have begun.
  const connecting = [1, 2, 3, 4, 5, 6].map(() => rig.connect('2025-11-25', { by: 'ann' }))
  await Promise.allSettled(connecting)
  await assert.rejects(first.call('look'), /Session not found/)
  const calls = await Promise.allSettled(connecting.map(async (connected) => (await connected).call('look')))
  assert.equal(calls.filter(({ status }) => status === 'fulfilled').length, 3)
  assert.equal((await other.call('look')).isError, false, 'another principal is not affected')
  const third = await rig.connect('2025-11-25', { by: 'eve' })
  assert.equal((await third.call('look')).isError, false, 'and there is room for a further one')
})

for (const era of ERAS)
  test(`${era}: a host's user message counts before its call; an agent's does not`, async (t) => {
    const shop = await startUpstream(t, TOOLS)
    const rig = await createRig(t, { upstreams: { shop } })
    for (const [by, named] of [
      ['ann', [0, 1, 1]],
      ['agent-smith', [0, 0, 0]],
    ] as const) {
      const first = rig.answers.length
      const { call } = await rig.connect(era, { by })
      const said = { 'dev.plimsoll/message': 'and look at ada@example.net too' }
      const args = { who: 'ada@example.net' }
      await call('look', args, { meta: { 'dev.plimsoll/message': 'x'.repeat(8_193) } })
      await call('look', args, { meta: said })
      await call('look', args)
      const tasks = rig.answers.slice(first).map(({ decision }) => decision?.risk?.provenance?.task)
      assert.deepEqual(tasks, named, by)
    }
    assert.ok(shop.reached.every(({ meta }) => !JSON.stringify(meta).includes('dev.plimsoll/')))
  })
