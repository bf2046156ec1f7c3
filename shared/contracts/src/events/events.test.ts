import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSchema } from './events.js'

const DIGEST = '0'.repeat(64)
const envelope = { schema: 1, id: 'e1', sessionId: 's', producer: 'p', seq: 0, time: 0 }
const started = { ...envelope, type: 'session.started' }
const instructed = { ...envelope, type: 'session.instructed' }
const proposed = { ...envelope, type: 'step.proposed', callId: 'c', tool: 't', argumentsDigest: DIGEST }
const completed = { ...envelope, type: 'step.completed', callId: 'c', tool: 't', outcome: 'ok' }
const approval = {
  ...envelope,
  type: 'approval.resolved',
  decisionId: 's#e#step',
  argumentsDigest: DIGEST,
  expiresAt: 0,
  resolution: 'approved',
  by: 'ann',
  signature: DIGEST,
}
const deadline = { ...envelope, type: 'deadline.reached', dueAt: 1, signature: DIGEST }
const owed = { kind: 'obligation', spec: 'tell-attendees', since: 0 }
const granted = {
  ...envelope,
  type: 'declassification.granted',
  spec: 'no-leaks',
  by: 'ann',
  reason: 'the customer asked for it',
  signature: DIGEST,
}
const fingerprints = (n: number) => Array.from({ length: n }, () => 'aaaaaaaa')
const withoutVerdict = (n: number) => Array.from({ length: n }, (_, i) => ({ callId: `u${i}`, tool: 't' }))

test('events that are accepted', () => {
  const labels = { capability: 'read', confidentiality: 'sensitive', trust: 'untrusted', tags: ['pii'] }
  const accepted: object[] = [
    started,
    { ...started, category: 'data', agent: 'a', task: '' },
    instructed,
    { ...instructed, task: 'x'.repeat(8192), fingerprints: fingerprints(128), signals: { secrets: 1 } },
    proposed,
    { ...proposed, labels: {}, evidence: { sensitive: 'absent' }, arguments: { any: [{ thing: null }] } },
    { ...proposed, labels, withoutVerdict: withoutVerdict(16) },
    completed,
    { ...completed, outcome: 'error', labels, taint: 'instructions' },
    { ...envelope, type: 'session.ended' },
    { ...envelope, type: 'session.ended', outcome: 'cancelled', seq: Number.MAX_SAFE_INTEGER },
    approval,
    { ...approval, resolution: 'denied', reason: '' },
    { ...deadline, due: owed },
    granted,
  ]
  for (const event of accepted)
    assert.deepEqual(eventSchema.safeParse(event).error?.issues, undefined, JSON.stringify(event))
})

test('events that are refused, and the field that is to blame', () => {
  const refused: [unknown, string][] = [
    [null, ''],
    [[], ''],
    [{}, 'type'],
    [{ ...started, type: 'session.paused' }, 'type'],
    [{ ...started, schema: 2 }, 'schema'],
    [{ ...started, id: '' }, 'id'],
    [{ ...started, sessionId: 'a#b' }, 'sessionId'],
    [{ ...started, seq: -1 }, 'seq'],
    [{ ...started, seq: 0.5 }, 'seq'],
    [{ ...started, seq: 2 ** 53 }, 'seq'],
    [{ ...started, time: '0' }, 'time'],
    [{ ...started, category: '' }, 'category'],
    [{ ...started, task: 'x'.repeat(8193) }, 'task'],
    [{ ...started, surprise: 1 }, ''],
    [{ ...instructed, task: 'x'.repeat(8193) }, 'task'],
    [{ ...instructed, fingerprints: fingerprints(129) }, 'fingerprints'],
    [{ ...instructed, inherits: {} }, ''],
    [{ ...instructed, category: 'data' }, ''],
    [{ ...proposed, tool: 'a b' }, 'tool'],
    [{ ...proposed, argumentsDigest: 'D'.repeat(64) }, 'argumentsDigest'],
    [{ ...proposed, arguments: [] }, 'arguments'],
    [{ ...proposed, labels: { capability: 'fly' } }, 'labels.capability'],
    [{ ...proposed, labels: { confidentiality: 'secret' } }, 'labels.confidentiality'],
    [{ ...proposed, labels: { colour: 'red' } }, 'labels'],
    [{ ...proposed, evidence: {} }, 'evidence.sensitive'],
    [{ ...proposed, withoutVerdict: withoutVerdict(17) }, 'withoutVerdict'],
    [{ ...proposed, callId: undefined }, 'callId'],
    [{ ...completed, outcome: 'unknown' }, 'outcome'],
    [{ ...completed, taint: 1 }, 'taint'],
    [{ ...approval, resolution: 'maybe' }, 'resolution'],
    [{ ...approval, by: '' }, 'by'],
    [{ ...approval, signature: 'zz' }, 'signature'],
    [{ ...deadline, due: { ...owed, since: 0.5 } }, 'due.since'],
    [{ ...deadline, due: { ...owed, spec: '-' } }, 'due.spec'],
    [{ ...granted, reason: undefined }, 'reason'],
    [{ ...granted, reason: 'a\nb' }, 'reason'],
    [{ ...granted, spec: 'a b' }, 'spec'],
  ]
  for (const [event, path] of refused) {
    const paths = eventSchema.safeParse(event).error?.issues.map((issue) => issue.path.join('.'))
    assert.deepEqual(paths, [path], JSON.stringify(event))
  }
})
