import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Control, type Event, type Unsigned, sign, topicsOf } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import { createRecordReader } from './read-record.js'

const KEY = 'the signing key of the fleet'
const topics = topicsOf()
const read = createRecordReader({ topics, signingKey: KEY, identityKeys: [] })

const record = (key: string | null, value: object | string | null, topic = topics.events): LogRecord => ({
  topic,
  partition: 0,
  offset: 0n,
  key,
  value: value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  headers: {},
  timeMs: 1,
})

const envelope = { schema: 1, id: 'e-1', sessionId: 'acme~a', producer: 'p', seq: 0, time: 0 } as const
type Signed = Extract<Event, { signature: string }>
const signed = (event: Unsigned<Signed>) => record(event.sessionId, sign<Signed>(event, KEY))
const control = (change: object) =>
  record(
    '#0',
    sign<Control>(
      { schema: 1, id: 'c-1', partition: 0, time: 1, by: 'omar', ...change } as Unsigned<Control>,
      KEY,
    ),
  )

test('answers, declassifications and control changes go to the tree of their tenant, or of the fleet', () => {
  const cases: readonly (readonly [LogRecord, string, string])[] = [
    [signed({ ...envelope, type: 'approval.revoked', approval: 'a-1', by: 'ada' }), 'acme', 'approval'],
    [
      signed({ ...envelope, type: 'declassification.granted', spec: 'no-leak', by: 'ada', reason: 'public' }),
      'acme',
      'declassification',
    ],
    [control({ type: 'fleet.stopped', tenant: 'acme' }), 'acme', 'control'],
    [control({ type: 'fleet.stopped' }), '_fleet', 'control'],
    [control({ type: 'mode.changed', agent: 'mailer', mode: 'observe' }), '_fleet', 'control'],
    [record('b', { ...envelope, sessionId: 'b', type: 'session.started' }), 'default', 'session'],
  ]
  for (const [given, tree, kind] of cases) {
    const recorded = read(given)
    assert.deepEqual([recorded?.tree, recorded?.kind], [tree, kind])
  }
})

test('of a start only who it is: no task, no fingerprints, no token', () => {
  const start = { ...envelope, type: 'session.started', agent: 'mailer', task: 'secret', fingerprints: [] }
  assert.deepEqual(read(record('acme~a', start))?.body, {
    type: 'session.started',
    id: 'e-1',
    sessionId: 'acme~a',
    time: 0,
    agent: 'mailer',
    identity: 'none',
  })
})

test('steps, and what no monitor takes, are no part of a proof', () => {
  const proposal = {
    ...envelope,
    type: 'step.proposed',
    callId: 'c',
    tool: 't',
    argumentsDigest: 'a'.repeat(64),
  }
  const revoked = { ...envelope, type: 'approval.revoked', approval: 'a-1', by: 'ada' } as const
  for (const given of [
    record('acme~a', proposal),
    record('acme~a', sign<Signed>(revoked, 'a key that is not of the fleet')),
    record('other', sign<Signed>(revoked, KEY)),
    record('acme~a', { ...revoked, type: 'labels.refined' }),
    { ...control({ type: 'fleet.stopped' }), partition: 1 },
    record('#0', '{}'),
    record(null, null),
    record('acme~a', 'null'),
    record('acme~a', '[]'),
    record('acme~a', proposal, topics.decisions),
  ])
    assert.equal(read(given), undefined)
})
