import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Event, logged } from '@plimsoll/contracts'
import { hash32 } from '../hash32.js'
import { type SessionState, LIMITS, createSessionState } from '../state/session.js'
import { PINS, createSampleSession, eventOf } from '../testing.js'
import { checkSequence, markReceived } from './sequence.js'

const hear = (state: SessionState, event: Event): SessionState =>
  markReceived({ state }, logged(event, 0), true).state ?? state

const placeOf = (state: SessionState, event: Event) => checkSequence(state, logged(event, 0))

const done = (producer: string, seq: number) =>
  eventOf('step.completed', seq, { producer, id: `${producer}-${seq}` })

test("finds an event's position in its numbering", () => {
  const state = [0, 1, 2].reduce((s, seq) => hear(s, done('a', seq)), createSessionState(PINS, '', '', 0))
  assert.deepEqual(placeOf(state, done('a', 3)), { kind: 'next' })
  assert.deepEqual(placeOf(state, done('a', 5)), { kind: 'gap', expected: 3 })
  assert.deepEqual(placeOf(state, done('a', 1)), { kind: 'repeat', verdict: 'allow' })
  assert.deepEqual(placeOf(state, eventOf('step.completed', 1, { producer: 'a', id: 'new' })), {
    kind: 'stale',
    expected: 3,
  })
  assert.deepEqual(placeOf(state, done('b', 0)), { kind: 'next' })
  assert.deepEqual(placeOf(state, done('b', 1)), { kind: 'gap', expected: 0 })
})

test('the window keeps the last events, and forgets the rest', () => {
  let state = createSessionState(PINS, '', '', 0)
  for (let seq = 0; seq < 40; seq++) {
    state = hear(state, done('a', seq))
    assert.ok(state.recent.length <= LIMITS.recentMax)
  }
  for (let seq = 0; seq < 40; seq++)
    assert.equal(
      placeOf(state, done('a', seq)).kind,
      seq < 40 - LIMITS.recentMax ? 'stale' : 'repeat',
      String(seq),
    )
})

test('keeps the most recent of many producers', () => {
  let state = createSessionState(PINS, '', '', 0)
  for (let i = 0; i < 12; i++) {
    state = hear(state, done(`p${i}`, 0))
    state = hear(state, done('p0', i + 1))
    assert.ok(state.producers.length <= LIMITS.producersMax)
  }
  assert.deepEqual(state.producers.at(-1), { name: 'p0', next: 13 })
  assert.deepEqual(
    state.producers.map(({ name }) => name),
    ['p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11', 'p0'],
  )
})

test('an id used again for another step is no retry of the first', () => {
  const session = createSampleSession()
  const first = session.propose('read_file', { id: 'x' })
  assert.equal(first.decision?.verdict, 'allow')
  const again = eventOf('step.proposed', 1, { id: 'x', callId: 'c1', tool: 'read_file' })
  assert.equal(session.feed(again).decision?.kind, 'repeat')
  const others = [
    { ...again, tool: 'send_email' },
    { ...again, callId: 'c9' },
    { ...again, argumentsDigest: 'e'.repeat(64) },
  ]
  for (const other of others) {
    const { decision, fault } = session.feed(other)
    assert.equal(fault?.code, 'sequence_stale')
    assert.equal(decision?.verdict, 'block')
  }
})

test('nor is an approval under the id of another event, or for another decision', () => {
  const session = createSampleSession()
  session.propose('mystery')
  session.complete('c9', { id: 'same' })
  const denied = session.approve('s#e1#step', { id: 'same', resolution: 'denied' })
  assert.equal(denied.decision?.verdict, 'block')
  const second = session.propose('mystery')
  assert.equal(session.approve(second.decision?.id ?? '', { id: 'same' }).decision?.verdict, 'allow')
})

test('a proposal under the id of a completion was never judged', () => {
  const session = createSampleSession()
  session.propose('read_file')
  session.complete('c1', { id: 'same' })
  const { decision } = session.feed(eventOf('step.proposed', 1, { id: 'same', tool: 'send_email' }))
  assert.equal(decision?.verdict, 'block')
})

/** The first two of the texts `textOf(0)`, `textOf(1)` … that FNV-1a, which identified events before, maps to the same hash. */
function collidingTexts(textOf: (n: number) => string): readonly [string, string] {
  const seen = new Map<number, string>()
  for (let n = 0; ; n++) {
    const text = textOf(n)
    const known = seen.get(hash32(text))
    if (known !== undefined) return [known, text]
    seen.set(hash32(text), text)
  }
}

test('distinguishes ids, tools, calls and digests that collide in 32 bits, so that no verdict is forged', () => {
  const letters = collidingTexts((n) => `x${(n * 2_654_435_761).toString(36)}`)
  const digests = collidingTexts((n) =>
    Math.imul(n, 2_654_435_761).toString(16).replace('-', '').padEnd(64, '7'),
  )
  for (const texts of [letters, digests]) assert.equal(hash32(texts[0]), hash32(texts[1]))
  const sameStart = ['0123abcd'.padEnd(64, '1'), '0123abcd'.padEnd(64, '2')] as const
  const pairs = [
    { id: letters[0] },
    { id: letters[1] },
    { callId: letters[0] },
    { callId: letters[1] },
    { tool: letters[0] },
    { tool: letters[1] },
    ...[...digests, ...sameStart].map((argumentsDigest) => ({ argumentsDigest })),
  ]
  const hashes = pairs.map((body) => logged(eventOf('step.proposed', 1, body), 0).hash)
  assert.equal(new Set(hashes).size, pairs.length)
})

test('does not answer another step under the id and number of an allowed step with its verdict', () => {
  const [digest, forged] = ['0123abcd'.padEnd(64, '1'), '0123abcd'.padEnd(64, '2')] as const
  const proposal = eventOf('step.proposed', 1, { callId: 'c', argumentsDigest: digest })
  for (const change of [
    { argumentsDigest: forged },
    { tool: 'send_email' },
    { callId: 'd' },
    { id: 'another' },
  ] as const) {
    const session = createSampleSession()
    assert.equal(session.feed(proposal).decision?.verdict, 'allow')
    const { state } = session
    const again = session.feed({ ...proposal, ...change })
    const found = [again.decision?.kind, again.decision?.verdict, again.fault?.code]
    assert.deepEqual(found, ['refusal', 'block', 'sequence_stale'], JSON.stringify(change))
    assert.equal(session.state, state)
    assert.deepEqual(session.feed(proposal).decision?.kind, 'repeat')
  }
})
