import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { StepResult } from '@plimsoll/client'
import { type Rig, createRig } from '../testing/mcp-rig.js'
import { type Raw, type RawServer, startRawServer } from '../testing/raw-server.js'
import { toolOf } from '../testing/upstream-server.js'
import type { Members } from './rpc/messages.js'

const TOOLS = ['look', 'wipe'].map((name) => ({ ...toolOf(name) }))
const DONE = { result: { content: [{ type: 'text', text: 'done' }] } }

/** A client of the 2025 era that sends what it likes. */
async function speak(rig: Rig): Promise<(message: object) => Promise<Members>> {
  const headers: Record<string, string> = {
    authorization: 'Bearer ann',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const send = async (message: object): Promise<Members> => {
    const init = { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) }
    const response = await fetch(rig.url, init)
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id') ?? ''
    const body = await response.text()
    return body === '' ? {} : (JSON.parse(body.replace(/^[^{]*data: /s, '')) as Members)
  }
  const clientInfo = { name: 'raw-client', version: '1' }
  const params = { protocolVersion: '2025-11-25', clientInfo, capabilities: { sampling: {} } }
  await send({ id: 0, method: 'initialize', params })
  await send({ method: 'notifications/initialized' })
  return send
}

interface World {
  readonly server: RawServer
  readonly rig: Rig
  readonly send: (message: object) => Promise<Members>
  readonly reported: readonly StepResult[]
}

async function world(t: TestContext, answer: (message: Raw) => Members = () => DONE): Promise<World> {
  const server = await startRawServer(t, { tools: TOOLS }, answer)
  const reported: StepResult[] = []
  const rig = await createRig(t, {
    upstreams: { server },
    onReport: (result) => void reported.push(result),
  })
  return { server, rig, send: await speak(rig), reported }
}

const call = (name: string) => ({ method: 'tools/call', params: { name, arguments: {} } })
const callsIn = ({ reached }: RawServer) =>
  reached.filter(({ method }) => method !== 'tools/list').map(({ method }) => method)

test('a call is no notification: a server that runs it all the same does not get it', async (t) => {
  const { server, send } = await world(t)
  await send(call('wipe'))
  await send({ method: 'notifications/message', params: { data: 'what the session has read' } })
  await send({ method: 'notifications/roots/list_changed' })
  assert.match(JSON.stringify(await send({ id: 1, ...call('look') })), /done/)
  assert.deepEqual(callsIn(server).toSorted(), ['notifications/roots/list_changed', 'tools/call'])
})

for (const method of ['Tools/Call', 'tools/call ', 'tools/call\u0000', 'x/send'])
  test(`a method that the protocol does not know is a step: ${JSON.stringify(method)}`, async (t) => {
    const { server, send } = await world(t)
    const answer = await send({ id: 1, ...call('wipe'), method })
    assert.match(JSON.stringify(answer), /waits for approval|there is no method/)
    assert.deepEqual(callsIn(server), [])
  })

const SECRET = 'account 7730194422'
const BYTES = Buffer.from(SECRET).toString('base64')
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]).toString('base64')

for (const [what, result, isWhole = true] of [
  ['content of texts alone', { content: [SECRET] }],
  ['content that is no list', { content: { type: 'text', text: SECRET } }],
  ['an unknown member', { content: [], toolResult: { of: SECRET } }],
  ['such a member of a block', { content: [{ type: 'text', text: '', more: SECRET }] }],
  ['the title of a link', { content: [{ type: 'resource_link', uri: 'x://y', name: 'n', title: SECRET }] }],
  ['a text that is called a picture', { content: [{ type: 'image', data: BYTES, mimeType: 'image/png' }] }],
  ['a text in bytes', { content: [{ type: 'resource', resource: { uri: 'x://y', blob: BYTES } }] }],
  [
    'a picture',
    {
      content: [
        { type: 'text', text: SECRET },
        { type: 'image', data: PICTURE },
      ],
    },
    false,
  ],
] as const satisfies (readonly [string, Members, boolean?])[])
  test(`a result is read whole, or said to be cut: ${what}`, async (t) => {
    const { send, reported } = await world(t, () => ({ result }))
    await send({ id: 1, ...call('look') })
    assert.match(JSON.stringify(reported[0]?.result), /7730194422/)
    assert.equal(reported[0]?.isWhole, isWhole)
  })

test('what a failure says is read in all of its lines and data', async (t) => {
  const error = { code: -32_000, message: `failed\n${SECRET}`, data: { text: 'Case KX-48217' } }
  const { send, reported } = await world(t, () => ({ error }))
  const answer = await send({ id: 1, ...call('look') })
  assert.deepEqual(answer['error'], error)
  assert.match(JSON.stringify(reported[0]?.result), /7730194422.*KX-48217/)
})

for (const method of ['tasks/get', 'completion/complete', 'prompts/list'])
  test(`sampling that a server asks for in the answer to ${method} is a step`, async (t) => {
    const params = { messages: [SECRET], includeContext: 'allServers' }
    const inputRequests = { ask: { method: 'sampling/createMessage', params } }
    const { send, rig } = await world(t, () => ({ result: { taskId: 't', inputRequests } }))
    const answer = await send({
      id: 1,
      method,
      params: { taskId: 't', ref: { type: 'ref/prompt', name: 'p' } },
    })
    assert.match(JSON.stringify(answer), /7730194422/)
    assert.doesNotMatch(JSON.stringify(answer), /allServers/)
    assert.equal(rig.answers.at(-1)?.tool, 'sampling/createMessage')
  })

test('a failed task is read', async (t) => {
  const { send, reported } = await world(t, () => ({ error: { code: -32_000, message: SECRET } }))
  await send({ id: 1, method: 'tasks/result', params: { taskId: 't' } })
  assert.match(JSON.stringify(reported[0]?.result), /7730194422/)
})

test(
  'a list without end ends, and says so where there is no other server',
  { timeout: 20_000 },
  async (t) => {
    const server = await startRawServer(t, { tools: [], nextCursor: 'again' }, () => DONE)
    const rig = await createRig(t, { upstreams: { server } })
    const send = await speak(rig)
    const answer = (await send({ id: 1, method: 'tools/list' })) as { readonly error: { message: string } }
    assert.match(answer.error.message, /`server` lists its tools without end/)
    assert.ok(server.reached.length <= 4)
    assert.match(rig.lines.join(''), /lists its tools without end/)
  },
)
