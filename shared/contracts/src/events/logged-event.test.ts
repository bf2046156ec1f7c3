import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Event } from './events.js'
import { EVENT_HASH_LENGTH, hashOfEvent, logged } from './logged-event.js'

const ENVELOPE = { schema: 1, id: 'e1', sessionId: 's', producer: 'agent', seq: 1, time: 0 } as const
const DIGEST = 'd'.repeat(64)
const PROPOSED = {
  ...ENVELOPE,
  type: 'step.proposed',
  callId: 'c',
  tool: 't',
  argumentsDigest: DIGEST,
} as const
const COMPLETED = { ...ENVELOPE, type: 'step.completed', callId: 'c', tool: 't', outcome: 'ok' } as const
const RESOLVED = {
  ...ENVELOPE,
  type: 'approval.resolved',
  decisionId: 's#e0#step',
  argumentsDigest: DIGEST,
  expiresAt: 1,
  resolution: 'approved',
  by: 'ann',
  signature: DIGEST,
} as const
const REFINED = {
  ...ENVELOPE,
  type: 'labels.refined',
  decisionId: 's#e0#step',
  callId: 'c',
  tool: 't',
  labels: { capability: 'read', reversibility: 'reversible' },
  effect: 'raise',
  by: 'a model',
  signature: DIGEST,
} as const
const REVOKED = {
  ...ENVELOPE,
  type: 'approval.revoked',
  approval: 'e7',
  by: 'ann',
  signature: DIGEST,
} as const

test('a hash is 128 bits of SHA-256 in base64url, over what tells an event from others, each part behind its length', () => {
  const text = `2:e1step.proposed,1:c,1:t,${DIGEST.length}:${DIGEST}`
  const hashOf = (subject: string) => createHash('sha256').update(subject).digest('base64url').slice(0, 22)
  // A record keeps hashes: they stay what they are.
  for (const [event, subject] of [
    [PROPOSED, text],
    [COMPLETED, '2:e1step.completed,1:c'],
    [RESOLVED, '2:e1approval.resolved,9:s#e0#step'],
    [REVOKED, '2:e1approval.revoked,2:e7'],
    [REFINED, '2:e1labels.refined,9:s#e0#step'],
    [{ ...ENVELOPE, type: 'session.ended' }, '2:e1session.ended'],
  ] as const)
    assert.equal(hashOfEvent(event), hashOf(subject), subject)
  assert.equal(EVENT_HASH_LENGTH, 22)
  for (const event of [PROPOSED, COMPLETED, RESOLVED, REFINED])
    assert.match(hashOfEvent(event), /^[\w-]{22}$/)
})

test('each of what tells an event from others makes another hash', () => {
  const events: Event[] = [
    PROPOSED,
    { ...PROPOSED, id: 'e2' },
    { ...PROPOSED, callId: 'd' },
    { ...PROPOSED, tool: 'u' },
    { ...PROPOSED, argumentsDigest: `${DIGEST.slice(1)}e` },
    { ...PROPOSED, argumentsDigest: `e${DIGEST.slice(1)}` },
    COMPLETED,
    { ...COMPLETED, id: 'e2' },
    { ...COMPLETED, callId: 'd' },
    RESOLVED,
    { ...RESOLVED, decisionId: 's#e9#step' },
    REFINED,
    { ...REFINED, decisionId: 's#e9#step' },
    REVOKED,
    { ...REVOKED, approval: 'e8' },
    { ...ENVELOPE, type: 'session.ended' },
    { ...ENVELOPE, type: 'session.ended', id: 'e2' },
    { ...ENVELOPE, type: 'session.started' },
  ]
  assert.equal(new Set(events.map(hashOfEvent)).size, events.length)
})

test('a member cannot be stretched into the next one', () => {
  const apart = [
    { ...PROPOSED, callId: 'c","t', tool: 'x' },
    { ...PROPOSED, callId: 'c', tool: 't","x' },
    { ...PROPOSED, callId: 'ct', tool: '' },
    { ...PROPOSED, callId: '', tool: 'ct' },
  ]
  assert.equal(new Set(apart.map(hashOfEvent)).size, apart.length)
})

test('sent again, an event has the same hash: at another time, with another number, and whatever else it reports', () => {
  const again = { ...PROPOSED, time: 99, seq: 7, producer: 'other', signals: { complete: 1 } }
  assert.equal(hashOfEvent(again), hashOfEvent(PROPOSED))
})

test('the log keeps an event with its time and its hash', () => {
  assert.deepEqual(logged(PROPOSED, 12), { event: PROPOSED, timeMs: 12, hash: hashOfEvent(PROPOSED) })
})
