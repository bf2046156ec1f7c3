import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { topicsOf, type Decision } from '@plimsoll/contracts'
import { noMetrics, silentLogger, topicSpecs } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createOtelMetrics } from './metrics.js'
import { readSpans, type Span } from './otlp/span.js'
import { runDecisionSpans } from './decision-spans.js'

/** An OTLP/HTTP endpoint that records the spans it receives. */
async function startEndpoint(t: TestContext, status = 200) {
  const spans: Span[] = []
  const keys: unknown[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => void chunks.push(chunk))
    request.on('end', () => {
      keys.push(request.headers['x-key'])
      if (status === 200) spans.push(...readSpans(JSON.parse(String(Buffer.concat(chunks)))).spans)
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { spans, keys, url: `http://127.0.0.1:${port}/v1/traces` }
}

async function startWorld(t: TestContext, url: string) {
  const log = createEmbeddedLog()
  const topics = topicsOf()
  await log.createTopics(topicSpecs(topics, { partitions: 1 }))
  const counts = new Map<string, number>()
  let settle = () => {}
  const settled = new Promise<void>((resolve) => {
    settle = resolve
  })
  const expected = { sent: 0, of: 0 }
  const metrics = {
    ...createOtelMetrics(noMetrics),
    decisionSpans: (outcome: string, count: number) => {
      counts.set(outcome, (counts.get(outcome) ?? 0) + count)
      expected.sent += count
      if (expected.sent >= expected.of) settle()
    },
  }
  const running = await runDecisionSpans({
    log,
    topics,
    group: 'export',
    url,
    headers: { 'x-key': 'secret' },
    metrics,
    logger: silentLogger,
  })
  t.after(() => running.close().then(() => log.close()))
  const publish = async (decisions: readonly (readonly [Decision | string, string?])[], of: number) => {
    expected.of = of
    await log.produce(
      topics.decisions,
      decisions.map(([decision, traceparent]) => ({
        key: 's',
        value: typeof decision === 'string' ? decision : JSON.stringify(decision),
        ...(traceparent !== undefined && { headers: { traceparent } }),
      })),
    )
    await settled
  }
  return { publish, counts }
}

const decision = (id: string, more: Partial<Decision> = {}): Decision => ({
  schema: 1,
  id: `s#${id}#step`,
  kind: 'step',
  sessionId: 's',
  tenant: 'default',
  facts: {},
  step: 0,
  eventId: id,
  callId: 'c',
  tool: 'send_email',
  argumentsDigest: 'a'.repeat(64),
  verdict: 'block',
  mode: 'enforce',
  reasons: [{ source: 'line', code: 'outgoing_after_sensitive', verdict: 'block', message: 'a leak' }],
  time: Date.now() - 5,
  ...more,
})

const TRACE = 'ab'.repeat(16)
const SPAN = 'cd'.repeat(8)

test('exports one span per decision, in the trace of its proposal', { timeout: 30_000 }, async (t) => {
  const endpoint = await startEndpoint(t)
  const { publish, counts } = await startWorld(t, endpoint.url)
  const made = decision('e1')
  await publish(
    [
      [made, `00-${TRACE}-${SPAN}-01`],
      [made, `00-${TRACE}-${SPAN}-01`],
      [decision('e2', { kind: 'repeat', id: 's#e2#repeat' })],
      ['no decision'],
      [decision('e3', { verdict: 'allow', reasons: [] }), 'no traceparent'],
    ],
    2,
  )
  assert.deepEqual(Object.fromEntries(counts), { exported: 2, failed: 0 })
  const [first, second] = endpoint.spans
  assert.ok(first && second)
  assert.deepEqual([first.traceId, first.parentId], [TRACE, SPAN])
  assert.notEqual(second.traceId, TRACE)
  assert.equal(second.parentId, undefined)
  const names = ['plimsoll.decision.id', 'plimsoll.verdict', 'plimsoll.tool', 'plimsoll.reasons']
  assert.deepEqual(
    names.map((name) => first.attributes.get(name)),
    ['s#e1#step', 'block', 'send_email', ['outgoing_after_sensitive']],
  )
  assert.equal(first.startUs, made.time * 1_000)
  assert.ok(first.endUs >= first.startUs)
  assert.equal(first.resource.text('service.name'), 'plimsoll')
  assert.deepEqual(endpoint.keys, ['secret'])
})

test('exports nothing for a trace that is not sampled', { timeout: 30_000 }, async (t) => {
  const endpoint = await startEndpoint(t)
  const { publish } = await startWorld(t, endpoint.url)
  await publish([[decision('e1'), `00-${TRACE}-${SPAN}-00`], [decision('e2')]], 1)
  assert.deepEqual(
    endpoint.spans.map(({ attributes }) => attributes.get('plimsoll.decision.id')),
    ['s#e2#step'],
  )
})

test('counts and drops spans that the endpoint refuses', { timeout: 30_000 }, async (t) => {
  const endpoint = await startEndpoint(t, 400)
  const { publish, counts } = await startWorld(t, endpoint.url)
  await publish([[decision('e1')]], 1)
  assert.deepEqual(Object.fromEntries(counts), { exported: 0, failed: 1 })
})
