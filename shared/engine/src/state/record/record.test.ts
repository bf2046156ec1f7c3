import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSampleSession } from '../../testing.js'
import { NO_CONDUCT, conductAfterStep } from '../conduct.js'
import { type Upgrade, RECORD_SCHEMA, decodeState, encodeState } from './record.js'
import type { SessionState } from '../session.js'
import { FULL } from './testing.js'

function busySession(): SessionState {
  const session = createSampleSession({ category: 'data "quoted", \u{1f6a2}', agent: 'mailer' })
  session.propose('read_secret')
  session.propose('send_email', { evidence: { sensitive: 'present' } })
  session.propose('mystery', { labels: { trust: 'untrusted' } })
  session.complete('c9', { tool: 'fetch_page' })
  session.approve('s#e3#step', { argumentsDigest: 'e'.repeat(64) })
  return session.state
}

const busy = busySession()

test('a state reads back as it was written', () => {
  const ended = createSampleSession()
  ended.end()
  for (const state of [busy, ended.state])
    assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
})

test('conduct reads back whatever else there is, and only as long as it is written', () => {
  const conduct = conductAfterStep(NO_CONDUCT, { conductText: 0.703125, conductWrites: 1 / 8 })
  for (const history of [[], [0.25, 2]])
    for (const bucket of [0, 3])
      for (const memory of [[], [1, 2]])
        for (const did of [NO_CONDUCT, conduct]) {
          const state = { ...busy, history, bucket, memory, conduct: did }
          assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
        }
  for (const other of [conduct.slice(1), [...conduct, 0], conduct.with(0, -1)])
    assert.deepEqual(decodeState(encodeState({ ...busy, conduct: other })), { kind: 'invalid' })
})

test('refuses a record of a newer layout', () => {
  const row: unknown[] = JSON.parse(encodeState(busy))
  const newer = JSON.stringify([RECORD_SCHEMA + 1, ...row.slice(1), 'more'])
  assert.deepEqual(decodeState(newer), { kind: 'too_new', schema: RECORD_SCHEMA + 1 })
  for (const schema of [0, -1, 0.5, RECORD_SCHEMA + 0.5, `${RECORD_SCHEMA}`, null])
    assert.deepEqual(decodeState(JSON.stringify(row.with(0, schema))), { kind: 'invalid' }, `${schema}`)
})

test('records of layouts 1 to 8 are read, with approvals for the session or without; their readers refuse layout 9', () => {
  for (const state of [busy, FULL, { ...FULL, approvals: [] }]) {
    const text = encodeState(state)
    assert.match(text, /^\[9,/)
    // Of an older record it is not known what its files hold.
    for (const older of ['[1,', '[2,', '[3,', '[4,', '[5,', '[6,'])
      assert.deepEqual(decodeState(text.replace('[9,', older)), {
        kind: 'state',
        state: { ...state, filesMayHold: true },
      })
    for (const older of ['[7,', '[8,'])
      assert.deepEqual(decodeState(text.replace('[9,', older)), { kind: 'state', state })
    for (const upgrades of [[], [(row: readonly unknown[]) => row]])
      assert.deepEqual(decodeState(text, upgrades), { kind: 'too_new', schema: 9 })
  }
})

describe('with a made-up later layout, whose upgrade moves the category to its place', () => {
  const upgrades: readonly Upgrade[] = [
    ([schema, category, ...rest]) => [schema, ...rest.toSpliced(2, 0, category)],
  ]
  const row: unknown[] = JSON.parse(encodeState(busy))
  const older = [1, row[3], ...row.slice(1, 3), ...row.slice(4)]

  test('upgrades a record of the layout before', () => {
    assert.deepEqual(decodeState(JSON.stringify(older), upgrades), { kind: 'state', state: busy })
    assert.deepEqual(decodeState(JSON.stringify(older)), { kind: 'invalid' })
  })

  test('refuses a record that is damaged or newer still', () => {
    assert.deepEqual(decodeState(JSON.stringify(older.with(5, 1.5)), upgrades), { kind: 'invalid' })
    assert.deepEqual(decodeState(JSON.stringify([...older, 'more', 'yet more', 1, 2, 3, 4]), upgrades), {
      kind: 'invalid',
    })
    assert.deepEqual(decodeState(JSON.stringify(older.with(0, 3)), upgrades), { kind: 'too_new', schema: 3 })
  })
})

test('the boolean members read back, in every combination', () => {
  for (const ended of [true, false])
    for (const held of [true, false])
      for (const codeWritten of [true, false])
        for (const delegated of [true, false])
          for (const looksOnly of [true, false])
            for (const delegates of [true, false])
              for (const sendsForOther of [true, false])
                for (const filesMayHold of [true, false]) {
                  const flags = { ended, held, codeWritten, delegated, looksOnly, delegates, sendsForOther }
                  const state = { ...busy, ...flags, filesMayHold }
                  assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
                }
  const row: unknown[] = JSON.parse(encodeState(busy))
  assert.deepEqual(decodeState(JSON.stringify(row.with(1, 512))), { kind: 'invalid' })
})

test('a text that is not a record is invalid', () => {
  for (const text of [
    '',
    '{}',
    'null',
    '[]',
    '["1"]',
    '[1]',
    '[0.5]',
    '[null]',
    `${encodeState(busy)} `,
    '[1',
  ])
    assert.deepEqual(decodeState(text), { kind: 'invalid' }, text)
})

test('a record with a damaged member is refused or reads as written, never as a safer one', () => {
  const row: unknown[] = JSON.parse(encodeState(busy))
  const damages: unknown[] = [
    null,
    -1,
    1.5,
    99,
    'x',
    '',
    [],
    [[]],
    {},
    { toString: 1, valueOf: 1 },
    true,
    [null],
  ]
  for (const index of row.keys())
    for (const damage of damages) {
      const text = JSON.stringify(row.with(index, damage))
      const decoded = decodeState(text)
      if (decoded.kind === 'state') assert.equal(encodeState(decoded.state), text)
    }
  for (const index of [4, 5, 6, 7])
    for (const damage of damages)
      assert.notEqual(decodeState(JSON.stringify(row.with(index, damage))).kind, 'state', `${index}`)
})

test('refuses a pending call with invalid labels', () => {
  const text = encodeState(busy)
  assert.match(text, /\[2,2,1,1,0,8\]/)
  for (const labels of [
    '[5,2,1,1,0,8]',
    '[2,4,1,1,0,8]',
    '[2,2,3,1,0,8]',
    '[2,2,1,2,0,8]',
    '[2,2,1,1,0,9]',
    '[]',
  ])
    assert.equal(decodeState(text.replace('[2,2,1,1,0,8]', labels)).kind, 'invalid', labels)
})
