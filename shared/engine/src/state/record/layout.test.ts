import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CREDITS } from '../../spec-rule.js'
import { PINS } from '../../testing.js'
import type { PendingCall, SessionState } from '../session.js'
import { RECORD_SCHEMA, decodeState, encodeState } from './record.js'
import { CONDUCT, FULL, LABELS, NEW, OPEN, PENDING, SOURCES, pending } from './testing.js'

test('a pending call reads back with whatever it has of its report', () => {
  for (const labelled of [true, false])
    for (const derived of [true, false])
      for (const evidence of ['present', 'absent', 'unknown'] as const)
        for (const lineEvidence of ['present', 'absent', 'unknown'] as const) {
          const state = { ...FULL, ...pending({ labelled, derived, evidence, lineEvidence }) }
          assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
        }
  for (const matches of [undefined, PENDING.matches])
    for (const signals of [undefined, {}, PENDING.signals])
      for (const [tags, readings] of [
        [0, undefined],
        [5, undefined],
        [0, []],
        [5, PENDING.readings],
      ] as const) {
        const state = { ...FULL, ...pending({ matches, signals, tags, readings }) }
        assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
      }
})

/** Members that may be left out, in the order of the record, each with its value when there is none. */
const OPTIONAL = [
  ['sources', ''],
  ['history', []],
  ['bucket', 0],
  ['refined', []],
  ['memory', []],
  ['conduct', []],
  ['approvals', []],
  ['own', ''],
  ['limits', ''],
  ['payees', ''],
  ['records', ''],
] as const
const REQUIRED = 19

test('a record ends with the last member that there is, and reads back with or without each other', () => {
  for (let kept = 0; kept < 2 ** OPTIONAL.length; kept++) {
    const left = OPTIONAL.filter((_, i) => (kept & (1 << i)) === 0)
    const state: SessionState = { ...FULL, ...Object.fromEntries(left) }
    const text = encodeState(state)
    assert.deepEqual(decodeState(text), { kind: 'state', state })
    assert.equal(JSON.parse(text).length, REQUIRED + (kept === 0 ? 0 : 32 - Math.clz32(kept)), text)
  }
  const lengthOf = (change: Partial<PendingCall>): number =>
    JSON.parse(encodeState({ ...FULL, ...pending(change) }))[15][0].length
  const none = {
    matches: undefined,
    signals: undefined,
    tags: 0,
    readings: undefined,
    made: '',
    effects: undefined,
  }
  assert.equal(lengthOf(none), 8)
  assert.equal(lengthOf({ ...none, matches: PENDING.matches }), 9)
  assert.equal(lengthOf({ ...none, signals: {} }), 10)
  assert.equal(lengthOf({ ...none, tags: 1 }), 11)
  assert.equal(lengthOf({ ...none, readings: [] }), 12)
  assert.equal(lengthOf({ ...none, made: 'pmaketoo' }), 13)
  assert.equal(lengthOf({ ...none, effects: [] }), 14)
})

/** The places of all values in `value`. */
function* placesIn(value: unknown, place: readonly number[] = []): Generator<readonly number[]> {
  yield place
  if (Array.isArray(value)) for (const [i, inner] of value.entries()) yield* placesIn(inner, [...place, i])
}

const changedAt = (value: unknown, place: readonly number[], change: (value: unknown) => unknown): unknown =>
  place.length === 0
    ? change(value)
    : (value as unknown[]).with(
        place[0] ?? 0,
        changedAt((value as unknown[])[place[0] ?? 0], place.slice(1), change),
      )

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value

test('a value of another kind makes the record invalid, wherever it is', () => {
  const row: unknown = JSON.parse(encodeState(FULL))
  /** A reading may be of any kind but text. */
  const isReading = ([member, call, at]: readonly number[]): boolean =>
    member === 15 && call === 2 && at === 11
  for (const place of placesIn(row))
    for (const other of [null, true, 'text', 7, [], ['text'], [7], {}]) {
      let isSameKind = false
      const damaged = changedAt(row, place, (value) => {
        isSameKind = kindOf(value) === kindOf(other)
        return other
      })
      if (isSameKind || (isReading(place) && place.length > 3)) continue
      assert.equal(
        decodeState(JSON.stringify(damaged)).kind,
        'invalid',
        `${place.join('.')}: ${JSON.stringify(other)}`,
      )
    }
})

test('a row with one member too many or too few makes the record invalid', () => {
  const row: unknown = JSON.parse(encodeState(FULL))
  for (const place of [[2], [15, 0], [15, 1], [15, 2, 5], [22, 0], [25, 0], [25, 0, 3]])
    for (const change of [
      (list: unknown[]) => [...list, 0],
      // An open call may end with what it makes.
      (list: unknown[]) => list.slice(0, list[1] === 'open' ? -2 : -1),
    ]) {
      const damaged = changedAt(row, place, (value) => change(value as unknown[]))
      assert.equal(decodeState(JSON.stringify(damaged)).kind, 'invalid', place.join('.'))
    }
})

test('the text of a record stays as it is: other processes read it, also of other versions', () => {
  const labels = [4, 3, 2, 1]
  const call = ['pending', 's#e3#step', 'send_email', 'a'.repeat(64), [...labels, 3, 7], ['line', 'spec'], 99]
  const pins = [PINS.bundle, PINS.policy, PINS.catalogue]
  const start = [RECORD_SCHEMA, 0, pins, 'data', 0, 0, 0, 0, 0, 0, 0, 0, 5]
  const end = ['mailer', -1, 0]
  const rowOf = (change: Partial<SessionState>): unknown => JSON.parse(encodeState({ ...NEW, ...change }))
  assert.deepEqual(rowOf({}), [...start, [], '', [], ...end])
  assert.deepEqual(JSON.parse(encodeState(FULL)), [
    ...start,
    ['agent', 3],
    `1${'A'.repeat(22)}`,
    [
      [0, 'open', 9, [2, 5], 'read_file', 'd'.repeat(16), 3, 'pmadexyz'],
      [1, 'blocked'],
      [
        2,
        ...call,
        PENDING.matches,
        { amount: 0.25 },
        5,
        [true, null, 1.5, [1, 2]],
        'pmaketoo',
        [
          [3, 0, 2, 15, 'pname777'],
          [11, -1, -1, 0, ''],
        ],
      ],
    ],
    ...end,
    SOURCES,
    [0.5],
    1,
    [['mystery', ...labels, 1]],
    [0.5],
    CONDUCT,
    [['e9', 'send_email', 'd'.repeat(16), labels, ['line'], 7]],
    'pownxyz2',
    'oplacexynforbidd',
    'TcaccountnnameabcRnnameabcsadeeuraUiaccount',
    'nrecordaprecordb',
  ])
  const bare = {
    ...PENDING,
    matches: undefined,
    signals: undefined,
    tags: 0,
    readings: undefined,
    made: '',
    effects: undefined,
  }
  const other = { labels: { ...LABELS, untrusted: false }, labelled: false, derived: false } as const
  assert.deepEqual(
    rowOf({
      ended: true,
      calls: [
        { ...OPEN, credits: NO_CREDITS, made: '' },
        { ...bare, ...other },
        { ...bare, evidence: 'present', lineEvidence: 'present', readings: [] },
      ],
    }),
    [
      ...start.with(1, 1),
      [],
      '',
      [
        [0, 'open', 9, 0, 'read_file', 'd'.repeat(16), 3],
        [2, ...call.with(4, [4, 3, 2, 0, 0, 7])],
        [2, ...call.with(4, [...labels, 3, 0]), 0, 0, 0, []],
      ],
      ...end,
    ],
  )
  const flags = [
    { ended: true },
    { held: true },
    { codeWritten: true },
    { delegated: true },
    { looksOnly: true },
  ]
  assert.deepEqual(
    flags.map((flag) => (rowOf(flag) as unknown[])[1]),
    [1, 2, 4, 8, 16],
  )
})
