import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topicsOf } from '@plimsoll/contracts'
import { type Emission, decodeOutbox, encodeOutbox, outgoingOf } from './emission.js'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a decision carries the trace headers of its event, and no others', () => {
  const rows: [Record<string, string>, Record<string, string>][] = [
    [{}, {}],
    [
      { traceparent: TRACEPARENT, tracestate: 'a=1', other: 'x' },
      { traceparent: TRACEPARENT, tracestate: 'a=1' },
    ],
    [{ traceparent: TRACEPARENT, tracestate: 'x'.repeat(513) }, { traceparent: TRACEPARENT }],
    [{ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, tracestate: 'a=1' }, {}],
    [{ traceparent: TRACEPARENT.toUpperCase() }, {}],
  ]
  const offset = 0n
  const place = { topic: 'events', partition: 0, offset, key: 'one', value: null, timeMs: 0 }
  for (const [headers, expected] of rows) {
    const answered = {
      record: { ...place, headers },
      emission: { offset, decision: '{}', fault: undefined },
      sessionId: 'one',
    }
    const [decisions] = outgoingOf([answered], topicsOf())
    assert.deepEqual(decisions?.records[0]?.headers, { 'plimsoll-tenant': 'default', ...expected })
  }
})

test('an outbox holds decisions as they are published, and reads back the same', () => {
  const decision = JSON.stringify({ id: 'd1', message: 'two\nlines and a "quote"' })
  const fault = { code: 'schema_invalid', message: 'first line\nsecond line' } as const
  const emissions: Emission[] = [
    { offset: 7n, decision, fault: undefined },
    { offset: 8n, decision: undefined, fault },
    { offset: 9n, decision, fault },
  ]
  const outbox = encodeOutbox(emissions)
  assert.ok(outbox.includes(decision))
  assert.deepEqual(decodeOutbox(outbox), emissions)
  assert.deepEqual(decodeOutbox(encodeOutbox([])), [])
})

test('an unreadable outbox is undefined', () => {
  for (const outbox of [
    'x',
    '7 x {}',
    '-1 d {}',
    '7 f {}',
    '7 f {"code":"no_such","message":""}',
    '7 d {}\n',
  ])
    assert.equal(decodeOutbox(outbox), undefined, outbox)
})
