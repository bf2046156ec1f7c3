import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEAD_LETTER_HEADERS, PROOF_HEADER, topicsOf } from '@plimsoll/contracts'
import type { LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import { deadLetterOf } from './dead-letter.js'
import { planOf, redrive } from './redrive.js'

const topics = topicsOf()

/** A dead letter of the event at `origin` of its topic. */
function letter(origin: number, over: Partial<LogRecord> = {}, headers: LogRecord['headers'] = {}) {
  return deadLetterOf({
    topic: topics.deadLetters,
    partition: 0,
    offset: BigInt(origin + 100),
    key: 'acme~s',
    value: Buffer.from(`event ${origin}`),
    timeMs: 5,
    ...over,
    headers: {
      [DEAD_LETTER_HEADERS.code]: 'sequence_gap',
      [DEAD_LETTER_HEADERS.message]: 'out of order',
      [DEAD_LETTER_HEADERS.topic]: topics.events,
      [DEAD_LETTER_HEADERS.partition]: '3',
      [DEAD_LETTER_HEADERS.offset]: String(origin),
      ...headers,
    },
  })
}

test('letters go in the order of the log they came from', () => {
  const plan = planOf([letter(10), letter(2), letter(7)], topics)
  assert.deepEqual(
    plan.letters.map(({ origin }) => origin?.offset),
    [2n, 7n, 10n],
  )
  assert.deepEqual(plan.left, [])
})

const OBSTACLES = [
  ['cut', letter(1, {}, { [DEAD_LETTER_HEADERS.cutFrom]: '600000' })],
  ['cut', letter(1, { key: null }, { [DEAD_LETTER_HEADERS.keyCutFrom]: '2000' })],
  ['no_origin', letter(1, {}, { [DEAD_LETTER_HEADERS.offset]: 'x' })],
  ['other_topic', letter(1, {}, { [DEAD_LETTER_HEADERS.topic]: 'payroll' })],
  ['no_text_key', letter(1, { key: 'a\ufffd' })],
] as const

for (const [why, left] of OBSTACLES)
  test(`stays where it is: ${why}, ${JSON.stringify(left.key)}`, () => {
    const plan = planOf([left, letter(2)], topics)
    assert.deepEqual(plan.left, [{ letter: left, why }])
    assert.equal(plan.letters.length, 1)
  })

test('one record that was set aside several times is written once', () => {
  const again = letter(9, { value: Buffer.from('event 2') })
  const plan = planOf([again, letter(2), letter(2, { offset: 500n })], topics)
  assert.deepEqual(
    plan.letters.map(({ offset }) => offset),
    [102n],
  )
  assert.deepEqual(
    plan.left.map(({ why }) => why),
    ['same_record', 'same_record'],
  )
  // An empty value is not a missing one, and another key is another record.
  const empty = [
    letter(1, { value: null }),
    letter(2, { value: Buffer.alloc(0) }),
    letter(3, { key: null, value: null }),
  ]
  assert.equal(planOf(empty, topics).letters.length, 3)
})

test('keys and bytes are written as they were, marked, in slices that keep the order', async () => {
  const calls: { topic: string; records: readonly OutgoingRecord[] }[] = []
  const log = {
    produce: async (topic: string, records: readonly OutgoingRecord[]) => void calls.push({ topic, records }),
  }
  const bytes = Buffer.from([0xff, 0x00, 0xfe])
  const letters = [
    letter(1, { value: bytes }),
    letter(2, { key: null }, { [PROOF_HEADER]: 'proof' }),
    ...Array.from({ length: 1200 }, (_, i) => letter(3 + i)),
  ]
  const reported: number[] = []
  await redrive(log, topics, letters, (count) => reported.push(count))
  assert.deepEqual(reported, [500, 1000, 1202])
  assert.ok(calls.every(({ topic }) => topic === topics.events))
  const records = calls.flatMap(({ records }) => records)
  assert.deepEqual(records[0], {
    key: 'acme~s',
    value: bytes,
    headers: { 'plimsoll-tenant': 'acme', 'plimsoll-redriven-from': '0:101' },
  })
  assert.deepEqual(records[1]?.headers, { 'plimsoll-proof': 'proof', 'plimsoll-redriven-from': '0:102' })
  assert.deepEqual(
    records.map(({ value }) => value),
    letters.map(({ value }) => value),
  )
})

test('large letters go in more slices', async () => {
  const sizes: number[] = []
  const log = {
    produce: async (_: string, records: readonly OutgoingRecord[]) => void sizes.push(records.length),
  }
  const letters = Array.from({ length: 20 }, (_, i) => letter(i, { value: Buffer.alloc(512 * 1024, i) }))
  await redrive(log, topics, letters, () => {})
  assert.deepEqual(sizes, [8, 8, 4])
})
