import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import { createSpanRecorder, encodeSpans, TIME_0_MS, toolRun } from '../testing/record-spans.js'
import { decodeSpans } from './decode.js'
import type { Span } from './span.js'

const recorder = createSpanRecorder('mailer')
const agent = recorder.span('invoke_agent mailer', { at: [0, 90] })
const run = recorder.span('execute_tool send_email', {
  at: [10, 25],
  parent: agent,
  kind: SpanKind.CLIENT,
  isError: true,
  attributes: toolRun('send_email', {
    'gen_ai.conversation.id': 'c-1',
    count: 3,
    ratio: 0.5,
    flag: false,
    list: ['a', 'ü🚢'],
  }),
})

/** A span as plain data. */
const reported = ({ attributes, resource, ...rest }: Span) => ({
  ...rest,
  service: resource.text('service.name'),
  values: ['gen_ai.tool.name', 'count', 'ratio', 'flag', 'list', 'absent'].map((name) =>
    attributes.get(name),
  ),
})

const EXPECTED = {
  traceId: agent.traceId,
  spanId: run.spanId,
  parentId: agent.spanId,
  startUs: (TIME_0_MS + 10) * 1000,
  endUs: (TIME_0_MS + 25) * 1000,
  isError: true,
  service: 'mailer',
  values: ['send_email', 3, 0.5, false, ['a', 'ü🚢'], undefined],
}

for (const encoding of ['otlp_proto', 'otlp_json'] as const)
  test(`reads what the official encoder writes as ${encoding}`, () => {
    const bytes = encodeSpans([agent, run], encoding)
    const read = decodeSpans(bytes)
    assert.equal(read?.invalid, 0)
    assert.equal(read?.spans.length, 2)
    const [first, second] = read?.spans ?? []
    assert.ok(first && second)
    assert.equal(first.parentId, undefined)
    assert.deepEqual(reported(second), EXPECTED)
  })

/** A request with one span in JSON. */
const json = (span: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }], ...more }))

const WHOLE = {
  traceId: 'A'.repeat(32),
  spanId: 'b'.repeat(16),
  startTimeUnixNano: '1790000000000000123',
  endTimeUnixNano: '1790000000001000000',
}

test('reads upper-case ids, unknown members and 64-bit integers', () => {
  const attributes = [
    { key: 'big', value: { intValue: '9223372036854775807' } },
    { key: 'small', value: { intValue: '-7' } },
    { key: 'nan', value: { doubleValue: 'NaN' } },
    { key: 'map', value: { kvlistValue: { values: [{ key: '__proto__', value: { stringValue: 'x' } }] } } },
    { key: 'bytes', value: { bytesValue: 'AQI=' } },
    { key: 'none', value: {} },
  ]
  const read = decodeSpans(json({ ...WHOLE, attributes, news: 1 }, { news: [] }))
  const [span] = read?.spans ?? []
  assert.ok(span)
  assert.deepEqual([span.traceId, span.startUs], ['a'.repeat(32), 1_790_000_000_000_000])
  const names = ['big', 'small', 'nan', 'bytes', 'none']
  assert.deepEqual(
    names.map((name) => span.attributes.get(name)),
    ['9223372036854775807', -7, 'NaN', 'AQI=', undefined],
  )
  assert.deepEqual(Object.keys(Object(span.attributes.get('map'))), ['__proto__'])
})

const FAULTY: readonly (readonly [string, Record<string, unknown>])[] = [
  ['no trace', { traceId: '' }],
  ['a trace of zeros', { traceId: '0'.repeat(32) }],
  ['no hex', { spanId: 'x'.repeat(16) }],
  ['no start', { startTimeUnixNano: undefined }],
  ['a time that is none', { endTimeUnixNano: '-1' }],
]
for (const [what, fault] of FAULTY)
  test(`counts a span with ${what} as invalid`, () => {
    assert.deepEqual(decodeSpans(json({ ...WHOLE, ...fault })), { spans: [], invalid: 1 })
  })

test('never ends a span before its start', () => {
  const read = decodeSpans(json({ ...WHOLE, endTimeUnixNano: '1' }))
  assert.equal(read?.spans[0]?.endUs, read?.spans[0]?.startUs)
})

const deep = (levels: number) => `${'{"arrayValue":{"values":['.repeat(levels)}${']}}'.repeat(levels)}`
const nested = (levels: number) =>
  Buffer.from(
    JSON.stringify({
      resourceSpans: [{ scopeSpans: [{ spans: [{ ...WHOLE, attributes: ['@'] }] }] }],
    }).replace('"@"', `{"key":"a","value":${deep(levels)}}`),
  )

/** Nested length-delimited fields: `AnyValue` in `ArrayValue` in `AnyValue`… */
function nestedProto(levels: number): Buffer {
  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)]
  const parts: Buffer[] = []
  let length = 0
  const wrap = (tag: number) => {
    const head = Buffer.from([tag, ...varint(length)])
    parts.unshift(head)
    length += head.length
  }
  for (let i = 0; i < levels; i++) {
    wrap(0x0a)
    wrap(0x2a)
  }
  for (const tag of [0x12, 0x4a, 0x12, 0x12, 0x0a]) wrap(tag)
  return Buffer.concat(parts)
}

const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['text', Buffer.from('hello')],
  ['half a JSON', Buffer.from('{"resourceSpans":[')],
  ['another JSON', Buffer.from('{"resourceLogs":[]}')],
  ['JSON that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ['a cut protobuf', encodeSpans([run]).subarray(0, 40)],
  ['protobuf nested a hundred thousand deep', nestedProto(50_000)],
]
for (const [what, bytes] of HOSTILE)
  test(`returns undefined for ${what}`, () => {
    assert.equal(decodeSpans(bytes), undefined)
  })

test('drops values nested too deep', () => {
  const read = decodeSpans(nested(5_000))
  assert.doesNotMatch(JSON.stringify(read?.spans[0]?.attributes.get('a')), /(\[){34}/)
  assert.equal(decodeSpans(nested(5))?.spans.length, 1)
})
