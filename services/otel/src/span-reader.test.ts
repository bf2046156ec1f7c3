import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import { type Event, PROOF_HEADER, eventSchema, isProved, readToken } from '@plimsoll/contracts'
import { readDocument } from '@plimsoll/policy'
import { type OutgoingRecord, noMetrics } from '@plimsoll/runtime'
import { type SpanOutcome, createOtelMetrics } from './metrics.js'
import { type SpanMapperOptions, createSpanMapper } from './span-mapper.js'
import { type OtelLimits, OTEL_LIMITS, createSpanReader } from './span-reader.js'
import {
  type MadeSpan,
  TIME_0_MS,
  createSpanRecorder,
  encodeSpans,
  mcpCall,
  toolRun,
} from './testing/record-spans.js'

const catalogue = await readDocument('catalogue')
const HOLD_MS = 1_000

interface World {
  readonly limits?: Partial<OtelLimits>
  readonly mapper?: Partial<SpanMapperOptions>
}

function readerOf({ limits, mapper }: World = {}) {
  const records: OutgoingRecord[] = []
  const counts = new Map<SpanOutcome | 'late', number>()
  const count = (what: SpanOutcome | 'late', by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by)
  const own = { ...OTEL_LIMITS, ...limits }
  const reader = createSpanReader({
    tenant: 'otel',
    holdMs: HOLD_MS,
    mapper: createSpanMapper({ tenant: 'otel', catalogue, sessionsMax: own.sessionsMax, ...mapper }),
    delivery: { push: (more) => void records.push(...more), size: () => 0 },
    limits: own,
    metrics: { ...createOtelMetrics(noMetrics), spans: count, late: () => count('late') },
  })
  const events = (): Event[] => records.map(({ value }) => eventSchema.parse(JSON.parse(String(value))))
  return {
    reader,
    counts,
    records,
    events,
    read: (spans: readonly MadeSpan[], atMs = 0) => reader.read(encodeSpans(spans), atMs),
    /** `session tool`, in the order of the proposals. */
    steps: () =>
      events().flatMap((each) => (each.type === 'step.proposed' ? [`${each.sessionId} ${each.tool}`] : [])),
  }
}

const { span } = createSpanRecorder('mailer')
const conversation = (id: string) => ({ 'gen_ai.conversation.id': id })

test('holds spans and publishes them in the order in which they started', () => {
  const { reader, read, steps, events } = readerOf()
  const root = span('invoke_agent', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } })
  const run = (tool: string, at: readonly [number, number]) =>
    span('run', { at, parent: root, attributes: toolRun(tool) })
  read([run('third', [50, 60]), run('second', [20, 40])], 0)
  read([run('first', [10, 30])], 500)
  reader.tick(900)
  assert.deepEqual(steps(), [])
  reader.tick(1_000)
  const id = `otel~${root.traceId}`
  assert.deepEqual(steps(), [`${id} first`, `${id} second`, `${id} third`])
  assert.deepEqual(
    events().map((each) => ('tool' in each ? `${each.type.slice(5)} ${each.tool}` : each.type)),
    [
      'session.started',
      'proposed first',
      'proposed second',
      'completed first',
      'completed second',
      'proposed third',
      'completed third',
    ],
    'parallel calls are parallel',
  )
  assert.deepEqual(
    events().map(({ time }) => time - TIME_0_MS),
    [10, 10, 20, 30, 40, 50, 60],
  )
})

test('orders spans with the same start by arrival', () => {
  const { reader, read, steps } = readerOf()
  const root = span('root', {})
  read([
    span('run', { at: [10, 14], parent: root, attributes: toolRun('a') }),
    span('run', { at: [10, 12], parent: root, attributes: toolRun('b') }),
  ])
  reader.flush()
  assert.deepEqual(
    steps().map((each) => each.at(-1)),
    ['a', 'b'],
  )
})

test('publishes a span before its hold time only with a later span that is due', () => {
  const { reader, read, steps, counts } = readerOf()
  const root = span('root', {})
  const run = (tool: string, at: readonly [number, number]) =>
    span('run', { at, parent: root, attributes: toolRun(tool) })
  read([run('b', [20, 30])], 0)
  read([run('c', [40, 50]), run('a', [10, 60])], 900)
  reader.tick(1_000)
  assert.deepEqual(
    steps().map((each) => each.at(-1)),
    ['a', 'b'],
  )
  reader.tick(1_900)
  read([run('z', [1, 2])], 2_000)
  reader.tick(9_000)
  assert.deepEqual(
    steps().map((each) => each.at(-1)),
    ['a', 'b', 'c', 'z'],
  )
  assert.equal(counts.get('late'), 1, 'a span after the hold time is published and counted')
})

test('keys a session by conversation (own, of an ancestor, of the trace), else MCP session, else trace', () => {
  const keyOf = (spans: readonly MadeSpan[]) => {
    const { reader, read, steps } = readerOf()
    read(spans)
    reader.flush()
    return steps().map((each) => each.split(' ')[0])
  }
  const agent = span('agent', {
    attributes: { 'gen_ai.operation.name': 'invoke_agent', ...conversation('outer') },
  })
  const between = span('work', { parent: agent })
  const within = span('run', { parent: between, attributes: toolRun('a') })
  assert.deepEqual(
    keyOf([span('run', { parent: agent, attributes: toolRun('a', conversation('own')) }), agent]),
    ['otel~own'],
  )
  assert.deepEqual(keyOf([within, between, agent]), ['otel~outer'])
  const chat = span('chat', {
    parent: between,
    attributes: { 'gen_ai.operation.name': 'chat', ...conversation('said') },
  })
  assert.deepEqual(keyOf([within, chat]), ['otel~said'])
  assert.deepEqual(keyOf([span('run', { attributes: mcpCall('a', { 'mcp.session.id': 'm-1' }) })]), [
    'otel~m-1',
  ])
  assert.deepEqual(keyOf([within]), [`otel~${within.traceId}`])
})

test('keeps using the trace as the session key, except for calls with a conversation of their own', () => {
  const { reader, read, steps } = readerOf()
  const agent = span('agent', { attributes: conversation('late') })
  const run = (tool: string, more = {}) => span('run', { parent: agent, attributes: toolRun(tool, more) })
  read([run('a')])
  reader.flush()
  read([agent, run('b'), run('c', conversation('own'))])
  reader.flush()
  const id = `otel~${agent.traceId}`
  assert.deepEqual(steps(), [`${id} a`, `${id} b`, 'otel~own c'])
})

const HOSTILE_NAMES = ['with spaces', 'ü', '~'.repeat(3), 'x'.repeat(4_000), '#1#step', '../../etc']
for (const name of HOSTILE_NAMES)
  test(`keeps a conversation named \`${name.slice(0, 12)}\` in the tenant of spans`, () => {
    const { reader, read, events } = readerOf()
    read([span('run', { attributes: toolRun('a', conversation(name)) })])
    reader.flush()
    assert.equal(events().length, 3)
    for (const { sessionId } of events()) assert.match(sessionId, /^otel~/)
  })

interface Nested {
  readonly what: string
  readonly inner: readonly [tool: string, isMcp: boolean]
  readonly isAgentBetween?: boolean
  readonly steps: number
}
const NESTED: readonly Nested[] = [
  { what: 'an MCP call within the span of its tool', inner: ['read_file', true], steps: 1 },
  { what: 'one whose framework prefixes the name', inner: ['file', true], steps: 1 },
  { what: 'one with another name', inner: ['send', true], steps: 2 },
  { what: 'one whose name is the end of a word', inner: ['ile', true], steps: 2 },
  { what: 'a tool that runs itself', inner: ['read_file', false], steps: 2 },
  {
    what: 'a tool of an agent that the tool runs',
    inner: ['read_file', true],
    isAgentBetween: true,
    steps: 2,
  },
]
for (const { what, inner, isAgentBetween = false, steps: expected } of NESTED)
  for (const order of ['inner first', 'outer first', 'at once'] as const)
    test(`${what}, ${order}: ${expected} published`, () => {
      const { reader, read, steps } = readerOf()
      const outer = span('run', { at: [0, 100], attributes: toolRun('read_file') })
      const agent = span('agent', { parent: outer, attributes: { 'gen_ai.operation.name': 'invoke_agent' } })
      const [tool, isMcp] = inner
      const attributes = isMcp ? mcpCall(tool) : toolRun(tool)
      const call = span('call', {
        at: [10, 90],
        parent: isAgentBetween ? agent : outer,
        kind: SpanKind.CLIENT,
        attributes,
      })
      const between = isAgentBetween ? [agent] : []
      const parts = {
        'inner first': [[call, ...between], [outer]],
        'outer first': [[outer], [...between, call]],
        'at once': [[call, ...between, outer]],
      }[order]
      for (const part of parts) {
        read(part)
        reader.flush()
      }
      assert.equal(steps().length, expected)
    })

test('makes one step of an MCP client span and its server span, in either order', () => {
  const client = span('call', { at: [0, 9], kind: SpanKind.CLIENT, attributes: mcpCall('read_file') })
  const server = span('call', {
    at: [1, 8],
    parent: client,
    kind: SpanKind.SERVER,
    attributes: mcpCall('read_file'),
  })
  for (const parts of [
    [[client], [server]],
    [[server], [client]],
  ]) {
    const { reader, read, counts } = readerOf()
    for (const part of parts) {
      read(part)
      reader.flush()
    }
    assert.deepEqual([counts.get('reported'), counts.get('inner')], [1, 1])
  }
})

test('publishes a repeated span once, with the same ids in every process', () => {
  const run = span('run', { attributes: toolRun('a') })
  const [one, other] = [readerOf(), readerOf()]
  for (const { reader, read } of [one, one, other]) {
    read([run])
    read([run])
    reader.flush()
  }
  assert.equal(one.events().length, 3)
  assert.deepEqual(one.records, other.records)
  assert.equal(one.counts.get('repeated'), 3)
})

test('skips undecodable records and survives hostile arguments', () => {
  const { reader, read, steps } = readerOf()
  reader.read(Buffer.from('not a span'), 0)
  reader.read(null, 0)
  read([span('run', { attributes: toolRun('a', { 'gen_ai.tool.call.arguments': '[['.repeat(50_000) }) })])
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  read([span('run', { attributes: toolRun('b', { 'gen_ai.tool.call.arguments': deep }) })])
  read([span('run', { attributes: toolRun('c', { 'gen_ai.tool.call.arguments': '{"a":"\\ud800"}' }) })])
  reader.flush()
  assert.deepEqual(
    steps().map((each) => each.at(-1)),
    ['a', 'b', 'c'],
  )
})

test('holds and remembers no more than the limits', () => {
  const { reader, read } = readerOf({
    limits: { heldMax: 3, agentTracesMax: 2, otherTracesMax: 1, traceSpansMax: 2 },
  })
  const root = span('root', { attributes: toolRun('root') })
  assert.equal(reader.isFull(), false)
  for (let i = 0; i < 3; i++) read([span('run', { parent: root, attributes: toolRun('a') }), span('db', {})])
  assert.equal(reader.isFull(), true)
  reader.flush()
  assert.equal(reader.isFull(), false)
})

test('keeps traces of agents when other traces overflow', () => {
  const { reader, read, steps } = readerOf({ limits: { otherTracesMax: 2 } })
  const agent = span('agent', { attributes: { 'gen_ai.operation.name': 'chat', ...conversation('kept') } })
  read([agent])
  for (let i = 0; i < 50; i++) read([span('GET /', {})])
  read([span('run', { parent: agent, attributes: toolRun('a') })])
  reader.flush()
  assert.deepEqual(steps(), ['otel~kept a'])
})

test('with keys: fingerprints instead of texts, a token per session, a proof per event', () => {
  const identityKey = 'an identity key for tests'
  const { reader, read, records, events } = readerOf({
    mapper: { identityKey, fingerprintKey: 'a key of fingerprints' },
  })
  const texts = {
    'gen_ai.tool.call.arguments': '{"iban":"DE89370400440532013000"}',
    'gen_ai.tool.call.result': '"contract KX-20931-B"',
  }
  read([
    span('run', {
      attributes: toolRun('get_customer', {
        ...texts,
        ...conversation('c'),
        'plimsoll.category': 'research_comms',
      }),
    }),
  ])
  reader.flush()
  const [started, proposed, completed] = events()
  assert.ok(
    started?.type === 'session.started' &&
      proposed?.type === 'step.proposed' &&
      completed?.type === 'step.completed',
  )
  assert.equal(readToken(started.identity ?? '', [identityKey])?.sid, 'otel~c')
  assert.deepEqual([started.category, started.agent], ['research_comms', 'mailer'])
  assert.ok((proposed.fingerprints?.length ?? 0) > 0 && (completed.fingerprints?.length ?? 0) > 0)
  for (const { key, value, headers } of records) {
    assert.doesNotMatch(String(value), /KX-20931|DE8937/i)
    assert.ok(isProved(String(value), key ?? '', headers?.[PROOF_HEADER] ?? '', [identityKey]))
  }
})
