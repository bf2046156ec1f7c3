import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordsSchema } from '@plimsoll/contracts'
import { sampleFingerprinter } from './sample-fingerprints.js'
import { shownRecords } from './shown-records.js'

const shown = (value: unknown) =>
  shownRecords(typeof value === 'string' ? value : JSON.stringify(value)).map(
    ({ ids, names }) => `${ids.join()}: ${names.join()}`,
  )

test('records have an id and a name, wherever they stand in the result', () => {
  const events = [
    { id: 'ev_77123', summary: 'Dentist', start: '2026-12-04' },
    { id: 'ev_77124', summary: 'Board meeting' },
  ]
  const expected = ['ev_77123: Dentist', 'ev_77124: Board meeting']
  for (const result of [
    events,
    { items: events },
    { data: { calendar: { events } } },
    `Found 2 events:\n${JSON.stringify(events)}`,
  ])
    assert.deepEqual(shown(result), expected)
})

test('the id of a record comes before those of what it belongs to', () => {
  assert.deepEqual(shown([{ guild_id: '555', id: 1_099_200_955, name: 'raid' }]), ['1099200955: raid'])
  assert.deepEqual(shown([{ order_id: '81723', user_id: '17442', customer: { name: 'Maria Lopez' } }]), [
    '81723: Maria Lopez',
  ])
})

test('things and people of a record are names of it, as texts, lists and records', () => {
  assert.deepEqual(
    shown([
      { id: 'a11', title: 'Login fails', project: 'Shop', requester: 'Eva' },
      { id: 'a12', customer: { name: 'Eva' }, items: ['Bosch filter', 'hose', 'clip', 'nut'] },
    ]),
    ['a11: Login fails,Eva', 'a12: Eva,Bosch filter,hose'],
  )
})

test('what shows no record has none', () => {
  for (const result of [
    'no records',
    '[1, 2, 3]',
    '{"id": "a11"',
    [{ id: 'a11' }],
    [{ name: 'web' }],
    [{ id: '7', name: 'web' }],
    [{ id: 'two words', name: 'web' }],
    [{ id: 'a11', name: 'a text that is longer than any name and so is none; '.repeat(3) }],
    `[${'{"id":"abc","name":"web"},'.repeat(4000)}1]`,
  ])
    assert.deepEqual(shown(result), [])
})

test('at most 24 records are shown, and a deep or wide value ends the search', () => {
  const many = Array.from({ length: 60 }, (_, i) => ({ id: `id-${i}`, name: `name ${i}` }))
  assert.equal(shown(many).length, 24)
  let deep: unknown = { id: 'abc', name: 'web' }
  for (let i = 0; i < 50; i++) deep = [deep]
  assert.deepEqual(shown(deep), [])
  assert.deepEqual(shown(Array.from({ length: 5000 }, () => 1)), [])
})

test('an event holds every record, however much it is called', () => {
  const long = (word: string) =>
    `${word}alpha ${word}bravo ${word}charlie ${word}delta ${word}echo ${word}foxtrot`
  const many = Array.from({ length: 60 }, (_, i) => ({
    id: `id-${i}`,
    uuid: `uuid-${i}`,
    name: long('a'),
    title: long('b'),
    customer: long('c'),
  }))
  const records = shownRecords(JSON.stringify(many)).flatMap(sampleFingerprinter.shown)
  assert.equal(records.length, 24)
  assert.deepEqual(recordsSchema.parse(records), records)
})
