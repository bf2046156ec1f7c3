import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState, RECORD_SCHEMA } from './record.js'
import { createSampleSession } from './sample-session.js'
import { LEFT, type SessionState } from './session.js'
import { VERDICTS } from './words.js'

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

/** The members of `state` as layout 4 wrote them, but for the number. */
function olderRow(state: SessionState): unknown[] {
  const row = (JSON.parse(encodeState(state)) as unknown[]).toSpliced(17, 1)
  const calls = row[15] as unknown[][]
  return row.with(
    15,
    calls.map((call) => (call[0] === 0 ? call.slice(0, 3) : call)),
  )
}

/** As it is read of older layouts: of what an open call was opened for nothing is known. */
const unopened = (state: SessionState): SessionState => ({
  ...state,
  calls: state.calls.map((call) =>
    call.status === 'open' ? { ...call, tool: '', digest: '', since: state.time } : call,
  ),
})

test('records of layouts 1 and 2 are of sessions whose reading was not kept; 1 declared no agent', () => {
  const row = olderRow(busy)
  assert.equal(row.at(-1), 'mailer')
  const calls = unopened(busy).calls.map((call) => (call.status === 'open' ? { ...call, source: 4 } : call))
  const rows = row[15] as unknown[][]
  const second = [2, ...row.slice(1)].with(
    15,
    rows.map((call) => (call[0] === 0 ? call.slice(0, 2) : call)),
  )
  const unseen = { ...busy, calls, sources: '?', left: LEFT.none }
  assert.deepEqual(decodeState(JSON.stringify(second)), { kind: 'state', state: unseen })
  const recent = busy.recent.flatMap(({ hash, verdict }) => [hash, VERDICTS.indexOf(verdict)])
  const first = [1, ...second.slice(1, -1)].with(14, recent)
  assert.deepEqual(decodeState(JSON.stringify(first)), { kind: 'state', state: { ...unseen, agent: '' } })
  const harmless = JSON.stringify(second.with(4, 0))
  assert.deepEqual(decodeState(harmless), {
    kind: 'state',
    state: { ...unseen, safety: 0, sources: '' },
  })
  assert.deepEqual(decodeState(JSON.stringify([1, ...row.slice(1)])), { kind: 'invalid' })
  assert.deepEqual(decodeState(JSON.stringify([2, ...row.slice(1, -1)])), { kind: 'invalid' })
  assert.deepEqual(decodeState(JSON.stringify([2, ...row.slice(1), '?'])), { kind: 'invalid' })
})

test('records of layouts 3 and 4 read as they were, but for the step that is not counted yet', () => {
  const session = createSampleSession()
  session.refine('mystery')
  const row = olderRow(session.state)
  const plain = { ...unopened(session.state), refined: [] }
  assert.deepEqual(decodeState(JSON.stringify([3, ...row.slice(1, 17)])), { kind: 'state', state: plain })
  const uncounted = { ...unopened(busy), left: LEFT.none }
  for (const layout of [3, 4])
    assert.deepEqual(decodeState(JSON.stringify([layout, ...olderRow(busy).slice(1)])), {
      kind: 'state',
      state: uncounted,
    })
  assert.deepEqual(decodeState(JSON.stringify([4, ...row.slice(1)])), {
    kind: 'state',
    state: unopened(session.state),
  })
  assert.deepEqual(decodeState(JSON.stringify([4, ...row.slice(1), 0])), { kind: 'invalid' })
  assert.deepEqual(decodeState(JSON.stringify([3, ...row.slice(1)])), { kind: 'invalid' })
  const twice = JSON.stringify([4, ...row.slice(1, 20), [['x', 9, 0, 0, 0, 0]]])
  assert.deepEqual(decodeState(twice), { kind: 'invalid' })
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
  assert.match(text, /\[2,2,1,1,0,2\]/)
  for (const labels of [
    '[5,2,1,1,0,2]',
    '[2,4,1,1,0,2]',
    '[2,2,3,1,0,2]',
    '[2,2,1,2,0,2]',
    '[2,2,1,1,0,3]',
    '[]',
  ])
    assert.equal(decodeState(text.replace('[2,2,1,1,0,2]', labels)).kind, 'invalid', labels)
})
