import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventOf, eventSchema } from './events.js'
import { isSignedBy, sign } from './signing.js'

const unsigned: Omit<EventOf<'approval.resolved'>, 'signature'> = {
  schema: 1,
  id: 'a1',
  sessionId: 's',
  producer: 'console',
  seq: 0,
  time: 1,
  type: 'approval.resolved',
  decisionId: 's#e1#step',
  argumentsDigest: '0'.repeat(64),
  expiresAt: 9,
  resolution: 'approved',
  by: 'ann',
}
const signed = sign<EventOf<'approval.resolved'>>(unsigned, 'key')

test('a signed event is valid, and known by its key alone', () => {
  assert.ok(eventSchema.safeParse(signed).success)
  assert.ok(isSignedBy(signed, 'key'))
  assert.ok(!isSignedBy(signed, 'other'))
  assert.ok(!isSignedBy(signed, ''))
})

test('whichever member is changed, the signature does not fit', () => {
  const changes: Partial<typeof signed>[] = [
    { id: 'a2' },
    { sessionId: 't' },
    { producer: 'agent' },
    { seq: 1 },
    { time: 2 },
    { decisionId: 's#e2#step' },
    { argumentsDigest: '1'.repeat(64) },
    { resolution: 'denied' },
    { by: 'bob' },
    { reason: 'because' },
    { signature: '0'.repeat(64) },
    { signature: '' },
    { signature: 'zz' },
  ]
  for (const change of changes)
    assert.ok(!isSignedBy({ ...signed, ...change }, 'key'), JSON.stringify(change))
})

test('neither the order of members nor a way over JSON matters', () => {
  const turned = eventSchema.parse(
    JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(signed).toReversed()))),
  )
  assert.ok(turned.type === 'approval.resolved' && isSignedBy(turned, 'key'))
})
