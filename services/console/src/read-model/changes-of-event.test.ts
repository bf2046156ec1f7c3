import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventOf, digestOf, issueToken } from '@plimsoll/contracts'
import { changeOfEvent } from './changes-of-event.js'

const AT = { offset: 7, timeMs: 1_000 }
const ENVELOPE = { schema: 1, id: 'e1', sessionId: 'acme~s', producer: 'p', seq: 0, time: 0 } as const

const proposed = (over: Partial<EventOf<'step.proposed'>>): EventOf<'step.proposed'> => ({
  ...ENVELOPE,
  type: 'step.proposed',
  callId: 'c1',
  tool: 'send_email',
  argumentsDigest: digestOf({}),
  ...over,
})

test('a start has who runs it, from its token where it says nothing itself', () => {
  const identity = issueToken(
    { sub: 'desk', sid: 'acme~s', tenant: 'acme', agt: 'scribe', par: 'acme~p', root: 'acme~r', iat: 1 },
    'k'.repeat(16),
  )
  const start = {
    ...ENVELOPE,
    type: 'session.started',
    identity,
    found: { category: 'mail', confidence: 1 },
  } as const
  assert.deepEqual(changeOfEvent(start, AT), {
    ...AT,
    kind: 'started',
    sessionId: 'acme~s',
    agent: 'scribe',
    category: 'mail',
    client: 'desk',
    task: undefined,
    parent: 'acme~p',
    root: 'acme~r',
  })
  const bad = changeOfEvent({ ...start, identity: `a.${'b'.repeat(10)}.${'c'.repeat(43)}` }, AT)
  assert.ok(bad?.kind === 'started' && bad.client === undefined && bad.root === 'acme~s')
})

test('a proposal has its effects, and of its arguments what is disclosed', () => {
  const change = changeOfEvent(
    proposed({
      effects: [{ act: 'delete', object: 'path', reach: 'live', incomplete: true }],
      labels: { capability: 'write' },
      arguments: { to: 'a\nb' },
    }),
    AT,
  )
  assert.ok(change?.kind === 'proposed')
  assert.deepEqual(change.effects, [
    { act: 'delete', object: 'path', reach: 'live', certainty: 'incomplete' },
  ])
  assert.deepEqual(change.labels, { capability: 'write' })
  assert.equal(change.arguments?.isWhole, false)
  assert.ok(change.arguments?.lines.every((line) => !line.includes('\n')))
  const none = changeOfEvent(proposed({}), AT)
  assert.ok(none?.kind === 'proposed' && none.arguments === undefined)
})

test('more arguments than are shown are cut, and then not whole', () => {
  const host = `${'north.east.'.repeat(12)}example.org`
  const values = { to: Array.from({ length: 100 }, (_, i) => `${'first-last-'.repeat(5)}${i}@${host}`) }
  const change = changeOfEvent(proposed({ arguments: values }), AT)
  assert.ok(change?.kind === 'proposed' && change.arguments)
  assert.deepEqual([change.arguments.isCut, change.arguments.isWhole], [true, false])
  assert.ok(change.arguments.lines.join('').length <= 16_384)
})

test('an idle session ends, and the end of an approval is for the decisions to say', () => {
  const deadline = { ...ENVELOPE, type: 'deadline.reached', dueAt: 1, signature: 'a'.repeat(64) } as const
  assert.equal(changeOfEvent({ ...deadline, due: { kind: 'idle', lastEventAt: 1 } }, AT)?.kind, 'ended')
  assert.equal(changeOfEvent({ ...deadline, due: { kind: 'approval', decisionId: 'd' } }, AT), undefined)
})

test('a text is bounded, and has no end inside', () => {
  const change = changeOfEvent(
    { ...ENVELOPE, type: 'session.instructed', task: `a\0b${'c'.repeat(8_000)}` },
    AT,
  )
  assert.ok(change?.kind === 'note')
  assert.deepEqual([change.text.length, change.text.slice(0, 3)], [4_096, 'a\uFFFDb'])
})
