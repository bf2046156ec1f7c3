import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_HASH_LENGTH, hashOfEvent } from '@plimsoll/contracts'
import { VERDICTS } from '../labels/words.js'
import { createSampleSession, eventOf } from '../testing.js'
import { RECORD_SCHEMA, decodeRecent, decodeState, encodeRecent, encodeState, isEventHash } from './record.js'
import type { SessionState } from './session.js'

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

test('a record of a newer layout is told apart', () => {
  const row: unknown[] = JSON.parse(encodeState(busy))
  const newer = JSON.stringify([RECORD_SCHEMA + 1, ...row.slice(1), 'more'])
  assert.deepEqual(decodeState(newer), { kind: 'too_new', schema: RECORD_SCHEMA + 1 })
})

test('a record of an older layout is not read: the session is rebuilt', () => {
  const row: unknown[] = JSON.parse(encodeState(busy))
  for (let layout = 1; layout < RECORD_SCHEMA; layout++)
    assert.deepEqual(decodeState(JSON.stringify([layout, ...row.slice(1)])), { kind: 'invalid' })
})

test('what is so of a session and what is not reads back, in every combination', () => {
  for (const ended of [true, false])
    for (const held of [true, false])
      for (const codeWritten of [true, false])
        for (const delegated of [true, false]) {
          const state = { ...busy, ended, held, codeWritten, delegated }
          assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
        }
  const row: unknown[] = JSON.parse(encodeState(busy))
  assert.deepEqual(decodeState(JSON.stringify(row.with(1, 16))), { kind: 'invalid' })
})

test('a record that is not text of ours is invalid', () => {
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

test('whatever one member is damaged to, the record is refused or reads as it says, never as something safer', () => {
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

test('a pending call with labels that are none is refused', () => {
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

test('hashes and verdicts read back', () => {
  const recent = VERDICTS.map((verdict, i) => ({ hash: hashOfEvent(eventOf('step.completed', i)), verdict }))
  const text = encodeRecent(recent)
  assert.equal(text.length, (1 + EVENT_HASH_LENGTH) * recent.length)
  assert.deepEqual(decodeRecent(text), recent)
  assert.ok(recent.every(({ hash }) => isEventHash(hash)))
})

test('a text that was not written here does not encode to itself again', () => {
  const hash = 'A'.repeat(EVENT_HASH_LENGTH)
  for (const text of ['0', hash, `4${hash}`, `0${hash}1`, `-${hash}`, `00${hash}`])
    assert.notEqual(encodeRecent(decodeRecent(text)), text, text)
  assert.deepEqual(decodeRecent(`4${hash}`), [], 'a verdict that there is none of')
})

test('a hash of another length or alphabet is none', () => {
  for (const hash of ['', 'A'.repeat(21), 'A'.repeat(23), '!'.repeat(22)])
    assert.equal(isEventHash(hash), false)
})
