import assert from 'node:assert/strict'
import { test } from 'node:test'
import { topicsOf } from '@plimsoll/contracts'
import { outgoingOf } from './emission.js'

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a decision goes on with the trace of the event that it answers, and with nothing else of its headers', () => {
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
