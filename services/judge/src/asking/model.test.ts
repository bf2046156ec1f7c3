import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createLogger, systemClock } from '@plimsoll/runtime'
import { createJudgeMetrics } from '../metrics.js'
import { PROTOCOLS, type ProtocolName } from '../protocols/index.js'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { createBudget } from './budget.js'
import { createModel } from './model.js'
import { requestOf } from './question.js'
import {
  completion,
  json,
  message,
  sampleAnswer,
  serveModel,
  toolUse,
  type Way,
} from './sample-model-server.js'

const KEY = 'sk-not-to-be-seen'
const SAID = { kind: 'labels', answer: sampleAnswer }

interface World {
  readonly protocol?: ProtocolName
  readonly timeoutMs?: number
  readonly perMinute?: number
  readonly perRun?: number
  readonly key?: string | undefined
}

async function world(t: TestContext, ways: readonly Way[], given: World = {}) {
  const { protocol = 'openai', timeoutMs = 2_000, perMinute = 100, perRun = 100, key = KEY } = given
  const server = await serveModel(...ways)
  t.after(() => server.close())
  const lines: string[] = []
  const metrics = createMetrics()
  const closing = new AbortController()
  const model = createModel({
    protocol: PROTOCOLS[protocol],
    endpoint: { url: server.url, model: 'test-model', key },
    timeoutMs,
    budget: createBudget(perMinute, perRun, systemClock),
    metrics: createJudgeMetrics(metrics),
    logger: createLogger({ write: (line) => lines.push(line) }),
    clock: systemClock,
    signal: closing.signal,
    firstPauseMs: 1,
  })
  const ask = (tool = 'zorp') => model.ask(requestOf(tool, { ticket: 'T-1' }, []))
  return { server, ask, lines, metrics, closing }
}

test('openai: sends a JSON schema with the key, and reads the answer', async (t) => {
  const { server, ask, metrics } = await world(t, [completion(sampleAnswer)])
  assert.deepEqual(await ask(), SAID)
  const [asked] = server.asked
  assert.ok(asked)
  assert.equal(asked.path, '/v1/chat/completions')
  assert.equal(asked.headers.authorization, `Bearer ${KEY}`)
  const { model, messages, response_format } = asked.body as {
    model: string
    messages: { role: string; content: string }[]
    response_format: { type: string; json_schema: { strict: boolean; schema: { required: string[] } } }
  }
  assert.deepEqual([model, messages.map(({ role }) => role)], ['test-model', ['system', 'user']])
  assert.deepEqual(JSON.parse(messages[1]?.content ?? ''), { tool: 'zorp', arguments: ['ticket'] })
  assert.deepEqual([response_format.type, response_format.json_schema.strict], ['json_schema', true])
  const text = await metrics.text()
  assert.match(text, /judge_call_seconds_count\{outcome="ok"\} 1/)
  assert.match(text, /judge_budget_left\{scope="run"\} 99/)
})

test('anthropic: sends a tool with the key, and reads its input', async (t) => {
  const ways = [message([{ type: 'text', text: 'I will.' }, toolUse(sampleAnswer)])]
  const { server, ask } = await world(t, ways, { protocol: 'anthropic' })
  assert.deepEqual(await ask(), SAID)
  const [asked] = server.asked
  assert.ok(asked)
  assert.equal(asked.path, '/v1/messages')
  assert.deepEqual(
    [asked.headers['x-api-key'], asked.headers['anthropic-version'], asked.headers.authorization],
    [KEY, '2023-06-01', undefined],
  )
  const body = asked.body as { tool_choice: object; tools: { name: string }[]; system: string }
  assert.deepEqual(body.tool_choice, { type: 'tool', name: 'label_tool' })
  assert.equal(body.tools[0]?.name, 'label_tool')
})

const { reason: _, ...withoutReason } = sampleAnswer
const NO_ANSWERS: readonly [what: string, kind: string, way: Way, protocol?: ProtocolName][] = [
  ['a refusal', 'refused', completion('', { content: null, refusal: 'I cannot.' })],
  ['a filtered answer', 'refused', completion('', { content: null }, 'content_filter')],
  ['prose', 'invalid', completion('It only reads, I promise.')],
  ['JSON that is no object', 'invalid', completion('"read"')],
  ['a label that there is not', 'invalid', completion({ ...sampleAnswer, capability: 'harmless' })],
  ['an answer without its reason', 'invalid', completion(withoutReason)],
  ['an answer cut short', 'invalid', completion('{"capability":"read"', {}, 'length')],
  ['no choice', 'invalid', json({ choices: [] })],
  ['another shape', 'invalid', json({ error: { message: 'no' } })],
  ['what is not JSON', 'invalid', (response) => response.end('<html>')],
  ['more than is read', 'invalid', (response) => response.end('x'.repeat(300 * 1024))],
  ['a refusal', 'refused', message([{ type: 'text', text: 'No.' }], 'refusal'), 'anthropic'],
  [
    'talk instead of a call',
    'refused',
    message([{ type: 'text', text: 'It reads.' }], 'end_turn'),
    'anthropic',
  ],
  ['an answer cut short', 'invalid', message([toolUse({})], 'max_tokens'), 'anthropic'],
  ['a call of another tool', 'invalid', message([{ ...toolUse(sampleAnswer), name: 'rm' }]), 'anthropic'],
  ['a call with other labels', 'invalid', message([toolUse({ ...sampleAnswer, trust: 1 })]), 'anthropic'],
  ['nothing', 'invalid', message([]), 'anthropic'],
]
for (const [what, kind, way, protocol = 'openai'] of NO_ANSWERS)
  test(`${protocol}: ${what} is ${kind}, and not retried`, async (t) => {
    const { server, ask } = await world(t, [way], { protocol })
    assert.deepEqual(await ask(), { kind })
    assert.equal(server.asked.length, 1)
  })

const halfClosed: Way = (response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"choices":')
  setTimeout(() => response.socket?.end(), 20)
}
const neverEnds: Way = (response) => void response.writeHead(200).write('{')
const TROUBLES: readonly [what: string, outcome: string, way: Way][] = [
  ['429', 'rate_limited', json({ error: {} }, 429)],
  ['429 with a second to wait', 'rate_limited', json({ error: {} }, 429, { 'retry-after': '1' })],
  ['500', 'server', json({}, 500)],
  ['529', 'server', json({}, 529)],
  ['a connection that is reset', 'network', (response) => response.destroy()],
  ['a connection that ends within the answer', 'network', halfClosed],
  ['an answer that never ends', 'timeout', neverEnds],
  ['silence', 'timeout', () => undefined],
]
for (const [what, outcome, way] of TROUBLES)
  test(`${what} is retried, and fails after three attempts`, async (t) => {
    const better = await world(t, [way, completion(sampleAnswer)], { timeoutMs: 300 })
    assert.deepEqual(await better.ask(), SAID)
    assert.equal(better.server.asked.length, 2)
    const worse = await world(t, [way], { timeoutMs: 300 })
    assert.deepEqual(await worse.ask(), { kind: 'unavailable' })
    assert.equal(worse.server.asked.length, 3)
    const counted = new RegExp(String.raw`judge_call_seconds_count\{outcome="${outcome}"\} 3`)
    assert.match(await worse.metrics.text(), counted)
  })

test('sends nothing during a long Retry-After', async (t) => {
  const { server, ask } = await world(t, [json({}, 429, { 'retry-after': '120' })])
  assert.deepEqual([await ask(), await ask('other')], [{ kind: 'unavailable' }, { kind: 'unavailable' }])
  assert.equal(server.asked.length, 1)
})

for (const [status, headers] of [
  [401, {}],
  [400, {}],
  [302, { location: 'http://127.0.0.1:1/' }],
] as const)
  test(`${status} is not retried, and logged without the key`, async (t) => {
    const { server, ask, lines } = await world(t, [json({}, status, headers)])
    assert.deepEqual(await ask(), { kind: 'rejected' })
    assert.equal(server.asked.length, 1)
    assert.match(lines.join(''), new RegExp(`"level":"error".*"status":${status}`))
    assert.ok(!lines.join('').includes(KEY))
  })

test('is unavailable without a server', async (t) => {
  const { server, ask } = await world(t, [completion(sampleAnswer)])
  await server.close()
  assert.deepEqual(await ask(), { kind: 'unavailable' })
})

test('sends nothing once the budget of a minute or run is spent, and logs that once', async (t) => {
  for (const given of [{ perMinute: 2 }, { perRun: 2 }]) {
    const { server, ask, lines } = await world(t, [completion(sampleAnswer)], given)
    for (const expected of ['labels', 'labels', 'budget', 'budget'])
      assert.equal((await ask()).kind, expected)
    assert.equal(server.asked.length, 2)
    assert.equal(lines.filter((line) => /the budget of this (minute|run) is spent/.test(line)).length, 1)
  }
})

test('retries count against the budget', async (t) => {
  const { server, ask } = await world(t, [json({}, 500)], { perRun: 2 })
  assert.deepEqual(await ask(), { kind: 'unavailable' })
  assert.equal(server.asked.length, 2)
})

test('an abort ends a running call at once', async (t) => {
  const { server, ask, closing } = await world(t, [() => setTimeout(() => closing.abort(), 10)], {
    timeoutMs: 60_000,
  })
  assert.deepEqual(await ask(), { kind: 'unavailable' })
  assert.equal(server.asked.length, 1)
})

test('logs an unreachable endpoint at most once a minute', async (t) => {
  const { server, ask, lines } = await world(t, [])
  await server.close()
  assert.deepEqual(await ask('one'), { kind: 'unavailable' })
  assert.deepEqual(await ask('two'), { kind: 'unavailable' })
  assert.equal(lines.length, 1, lines.join(''))
  assert.match(lines.join(''), /"level":"warn".*check PLIMSOLL_JUDGE_URL.*"outcome":"network"/)
})
