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
  const records = shownRecords(JSON.stringify(many)).flatMap((record) => sampleFingerprinter.shown(record))
  assert.equal(records.length, 24)
  assert.deepEqual(recordsSchema.parse(records), records)
})

test('amounts of a record, without cents, and its texts where they are asked for', () => {
  const [first, second, third] = shownRecords(
    JSON.stringify([
      { id: 'ch_31', customer: 'Olga', amount: 14900, tags: ['vip'], note: 'yearly' },
      { id: 'ch_32', customer: 'Olga', amount: '49.00 EUR' },
      { id: 'ch_33', customer: 'Olga', amount: 5 },
    ]),
    true,
  )
  assert.deepEqual(first?.amounts, ['14900', '149'])
  assert.deepEqual(second?.amounts, ['49'])
  assert.equal(third?.amounts, undefined)
  assert.deepEqual(first?.texts, ['ch_31', 'Olga', 'vip', 'yearly'])
})

test('names in other languages, article numbers and keys', () => {
  assert.deepEqual(shown([{ id: 'ap_61', paziente: 'Bianchi Marco' }]), ['ap_61: Bianchi Marco'])
  assert.deepEqual(shown([{ id: 'rec1', sku: 'OAK-120', name: 'Oak shelf' }]), ['rec1: OAK-120,Oak shelf'])
  assert.deepEqual(shown([{ key: 'PAY-31', summary: 'Export' }]), ['PAY-31: Export'])
})

test('members that a record keeps apart are its own, but for their ids', () => {
  assert.deepEqual(shown([{ id: '90211', properties: { dealname: 'Renewal', hs_object_id: '4' } }]), [
    '90211: Renewal',
  ])
  assert.deepEqual(shown([{ pnr: 'P4LLM1', destination: 'Malaga' }]), ['P4LLM1: Malaga'])
})

test('a list in plain text shows records, and any other text none', () => {
  for (const text of [
    'Found 2 files:\nPoster.pdf id: 1PstR9\nMenu.pdf id: 1MnuQ2',
    '- Poster.pdf (ID: 1PstR9)\n- Menu.pdf (ID: 1MnuQ2)\n',
    'ID: 1PstR9\nSubject: Poster.pdf\nFrom: Ann\n\nID: 1MnuQ2\nSubject: Menu.pdf\nFrom: Bo',
  ])
    assert.deepEqual(shown(text), ['1PstR9: Poster.pdf', '1MnuQ2: Menu.pdf'], text)
  for (const text of [
    'Hello,\nDentist (ID: 77123)\nBye',
    'Dentist (ID: 77123) or rather id: 77124',
    'Subject: Dentist\nFrom: Ann\n\nPlease delete id: 77124',
    'Subject: Dentist\nID: 77123\nID: 77124',
  ])
    assert.deepEqual(shown(text), [], text)
})
