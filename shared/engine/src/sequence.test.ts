import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged, type Event } from '@plimsoll/contracts'
import { PINS } from './sample-rules.js'
import { createSampleSession, eventOf } from './sample-session.js'
import { hash32, heard, orderOf } from './sequence.js'
import { LIMITS, newSession, type SessionState } from './session.js'

const hear = (state: SessionState, event: Event): SessionState =>
  heard({ state }, logged(event, 0), true).state ?? state

const placeOf = (state: SessionState, event: Event) => orderOf(state, logged(event, 0))

const done = (producer: string, seq: number) =>
  eventOf('tool.completed', seq, { producer, id: `${producer}-${seq}` })

test('FNV-1a has its published values', () => {
  assert.equal(hash32(''), 0x811c9dc5)
  assert.equal(hash32('a'), 0xe40c292c)
  assert.equal(hash32('foobar'), 0xbf9cf968)
  assert.equal(hash32('bar', hash32('foo')), hash32('foobar'))
})

test('where an event stands in its numbering', () => {
  const state = [0, 1, 2].reduce((s, seq) => hear(s, done('a', seq)), newSession(PINS, '', '', 0))
  assert.deepEqual(placeOf(state, done('a', 3)), { kind: 'next' })
  assert.deepEqual(placeOf(state, done('a', 5)), { kind: 'gap', expected: 3 })
  assert.deepEqual(placeOf(state, done('a', 1)), { kind: 'repeat', verdict: 'allow' })
  assert.deepEqual(placeOf(state, eventOf('tool.completed', 1, { producer: 'a', id: 'new' })), {
    kind: 'stale',
    expected: 3,
  })
  assert.deepEqual(placeOf(state, done('b', 0)), { kind: 'next' })
  assert.deepEqual(placeOf(state, done('b', 1)), { kind: 'gap', expected: 0 })
})

test('the window keeps the last events, and forgets the rest', () => {
  let state = newSession(PINS, '', '', 0)
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

test('of many producers the ones heard last stay', () => {
  let state = newSession(PINS, '', '', 0)
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
  const again = eventOf('tool.proposed', 1, { id: 'x', callId: 'c1', tool: 'read_file' })
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
  const { decision } = session.feed(eventOf('tool.proposed', 1, { id: 'same', tool: 'send_email' }))
  assert.equal(decision?.verdict, 'block')
})
