import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSchema } from './events.js'
import { type SignalName, SIGNALS, signalsSchema, unknownSignals } from './signals.js'

const envelope = { schema: 1, id: 'e', sessionId: 's', producer: 'p', seq: 0, time: 0 }
const instructed = { ...envelope, type: 'session.instructed' }

test('every signal is accepted and kept', () => {
  const names = Object.keys(SIGNALS)
  for (const name of names) assert.deepEqual(signalsSchema.parse({ [name]: 0.5 }), { [name]: 0.5 })
})

test('a name that is no signal is dropped, and reported by name', () => {
  const event = { ...instructed, signals: { secrets: 1, stranger: 1, personal: 0, imperative: 0.5 } }
  assert.deepEqual(unknownSignals(event), ['stranger', 'imperative'])
  const parsed = eventSchema.parse(event)
  assert.deepEqual(parsed, { ...instructed, signals: { secrets: 1, personal: 0 } })
  assert.deepEqual(unknownSignals(parsed), [])
})

test('a report without a known name is still a report', () => {
  assert.deepEqual(eventSchema.parse({ ...instructed, signals: { stranger: 1 } }), {
    ...instructed,
    signals: {},
  })
})

test('names inherited from objects are no signals', () => {
  for (const name of ['constructor', 'toString', 'valueOf'])
    assert.deepEqual(signalsSchema.parse({ [name]: 1 }), {})
})

test('an unknown name excuses neither its form, its value nor their number', () => {
  const many = Object.fromEntries(
    Array.from({ length: 65 }, (_, i) => [`n${'abcdefghi'[i % 9]}${'x'.repeat(i / 9)}`, 1]),
  )
  for (const signals of [{ Stranger: 1 }, { 'a b': 1 }, { stranger: 2 }, { stranger: '1' }, many, [1], null])
    assert.equal(signalsSchema.safeParse(signals).success, false, JSON.stringify(signals))
})

test('what is no event has no unknown signals', () => {
  for (const event of [undefined, null, 7, 'signals', [], {}, { signals: null }, { signals: 'strangers' }])
    assert.deepEqual(unknownSignals(event), [])
})

test('a misspelled signal does not compile', () => {
  // @ts-expect-error: the name is `strangers`.
  const name: SignalName = 'stranger'
  assert.ok(!(name in SIGNALS))
})
