import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_LIMITS, limitsAfter } from './limits.js'
import { NO_RECORDS, addRecords, isRecordsText, recordsAfterTask, relationOf } from './records.js'
import { NO_SOURCES, addNamedValues } from './sources.js'

/** A fingerprint of a word that stands for its value. */
const print = (letter: string, value: string): string => letter + value.padEnd(7, 'a')

const record = (id: string, ...names: readonly (readonly string[])[]): string[] => [
  print('i', id),
  ...names.flatMap((words) => [
    print('n', words.join('').slice(0, 6) + 'z'),
    ...words.map((word) => print('w', word)),
  ]),
]

const task = (...words: readonly string[]) =>
  addNamedValues(
    NO_SOURCES,
    words.map((word) => print('w', word)),
  )

const LIST = [record('idone', ['raid']), record('idtwo', ['board', 'dinner']), record('idfour', ['lunch'])]

test('a record is meant by most words of a name, and the others beside it are not', () => {
  const records = addRecords(NO_RECORDS, task('delete', 'raid'), LIST)
  assert.equal(relationOf(records, [print('i', 'idone')]), 'named')
  assert.equal(relationOf(records, [print('n', 'idtwo')]), 'other')
  assert.equal(relationOf(records, [print('i', 'idfive')]), undefined)
  // One word of two is too few.
  assert.equal(addRecords(NO_RECORDS, task('board'), LIST), NO_RECORDS)
  const both = addRecords(NO_RECORDS, task('board', 'dinner', 'lunch'), LIST)
  assert.deepEqual(
    ['idone', 'idtwo', 'idfour'].map((id) => relationOf(both, [print('i', id)])),
    ['other', 'named', 'named'],
  )
})

test('a record is meant by its id, or by its whole name', () => {
  for (const value of ['idtwo', 'boarddz'])
    assert.equal(relationOf(addRecords(NO_RECORDS, task(value), LIST), [print('i', 'idtwo')]), 'named', value)
})

test('a step with several ids is about a record that is not meant if one is', () => {
  const records = addRecords(NO_RECORDS, task('raid'), LIST)
  const ids = ['idone', 'idtwo'].map((id) => print('i', id))
  assert.equal(relationOf(records, ids), 'other')
})

test('what one list shows as another record stays another, and the oldest records go first', () => {
  let records = addRecords(NO_RECORDS, task('raid'), LIST)
  records = addRecords(records, task('raid'), [record('idone', ['lunch']), record('idtwo', ['raid'])])
  assert.equal(relationOf(records, [print('i', 'idone')]), 'other')
  assert.equal(relationOf(records, [print('i', 'idtwo')]), 'other')
  assert.equal(recordsAfterTask(records, false), NO_RECORDS)
  assert.equal(records.length, 24)
  const digits = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))
  for (let i = 0; i < 100; i++)
    records = addRecords(records, task('raid'), [record(`x${digits(i)}`, ['raid'])])
  assert.equal(records.length, 96 * 8)
  assert.equal(relationOf(records, [print('i', 'idone')]), undefined)
  assert.ok(isRecordsText(records))
})

test('of records that a task does not name nothing is known where it may mean more than it names', () => {
  const more = recordsAfterTask(addRecords(NO_RECORDS, task('raid'), LIST), true)
  assert.equal(recordsAfterTask(more, false), more)
  const known = addRecords(more, task('raid'), LIST)
  assert.equal(relationOf(more, [print('i', 'idone')]), undefined)
  assert.equal(relationOf(known, [print('i', 'idone')]), 'named')
  assert.equal(relationOf(known, [print('i', 'idtwo')]), undefined)
  assert.equal(recordsAfterTask(known, false), more)
  assert.ok(isRecordsText(more))
  assert.ok(isRecordsText(known))
  assert.equal(isRecordsText('xabcdefg'), false)
})

test('a record that orders except is another one, also where the task may mean more than it names', () => {
  const limit = print('p', 'keptlim')
  const list = [record('idone', ['raid']), [print('i', 'idtwo'), limit, print('n', 'boardz')]]
  const limits = limitsAfter(NO_LIMITS, { never: [limit] })
  for (const more of [false, true]) {
    const records = addRecords(recordsAfterTask(NO_RECORDS, more), task('delete', 'raid'), list, limits)
    assert.equal(relationOf(records, [print('i', 'idone')]), 'named')
    assert.equal(relationOf(records, [print('i', 'idtwo')]), 'other')
    assert.ok(isRecordsText(records))
  }
})

test('an amount parts records of one name, and names none by itself', () => {
  const paid = (id: string, amount: string) => [
    print('i', id),
    print('w', amount),
    print('n', 'olgalind'.slice(0, 7)),
    print('w', 'olga'),
    print('w', 'lind'),
  ]
  const list = [paid('idone', 'fortyni'), paid('idtwo', 'onefort')]
  const named = addRecords(NO_RECORDS, task('olga', 'lind', 'onefort'), list)
  assert.equal(relationOf(named, [print('i', 'idone')]), 'other')
  assert.equal(relationOf(named, [print('i', 'idtwo')]), 'named')
  assert.equal(addRecords(NO_RECORDS, task('onefort'), list), NO_RECORDS)
})
