import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exposureOf } from '../labels/safety-state.js'
import { historyValue } from '../state/history.js'
import { decodeState, encodeState } from '../state/record/record.js'
import { createSampleSession, fingerprint, fingerprints, sampleRules } from '../testing.js'
import { GROUPS, ORIGINS, countOf, distinctiveShare, matchFingerprints } from './matches.js'

const TASK = fingerprint(1, 'a')
const TRUSTED = fingerprint(2, 'i')
const UNTRUSTED = fingerprint(3, 'u')
const INSTRUCTED = fingerprint(4, 'c')
const NOWHERE = fingerprint(5, 'n')
const ALL = [TASK, TRUSTED, UNTRUSTED, INSTRUCTED, NOWHERE]

function readingSession() {
  const session = createSampleSession({ started: { fingerprints: [TASK] } })
  session.propose('read_public')
  session.complete('c1', { fingerprints: [TRUSTED, TASK] })
  session.propose('fetch_page')
  session.complete('c3', {
    tool: 'fetch_page',
    fingerprints: [UNTRUSTED, INSTRUCTED, TASK],
    instructed: [INSTRUCTED],
    taint: 'instructions',
  })
  return session
}

test('a decision names the origin of the distinctive values', () => {
  const { decision } = readingSession().propose('read_public', { fingerprints: ALL })
  assert.deepEqual(decision?.risk?.provenance, {
    values: 5,
    task: 1,
    trusted: 2,
    untrusted: 2,
    instructions: 1,
    sensitive: 0,
    nowhere: 1,
  })
  assert.equal(readingSession().propose('read_public').decision?.risk?.provenance, undefined)
})

test('counts by group and origin', () => {
  const { sources } = readingSession().state
  const matches = matchFingerprints(sources, [...ALL, fingerprint(1, 'w'), fingerprint(9, 'd')])
  const counts = GROUPS.flatMap((group) =>
    ORIGINS.flatMap((origin) => {
      const count = countOf(matches, group, origin)
      return count > 0 ? [`${group}.${origin} ${count}`] : []
    }),
  )
  assert.deepEqual(counts, [
    'target.total 3',
    'target.task 1',
    'target.trusted 1',
    'target.untrusted 3',
    'target.untrustedOnly 2',
    'target.instructed 1',
    'target.instructedOnly 1',
    'reference.total 1',
    'reference.trusted 1',
    'name.total 1',
    'name.nowhere 1',
    'word.total 1',
    'word.task 1',
    'word.trusted 1',
    'word.untrusted 1',
    'description.total 1',
    'description.nowhere 1',
  ])
  assert.equal(distinctiveShare(matches, 'total'), 5)
})

test("a result is untrusted by the tool's labels, the client's, or its taint", () => {
  const reported = [fingerprint(50, 'u')]
  for (const [tool, claims, origin] of [
    ['read_public', {}, 'trusted'],
    ['fetch_page', {}, 'untrusted'],
    ['fetch_page', { labels: { trust: 'trusted' } }, 'untrusted'],
    ['read_public', { labels: { trust: 'untrusted' } }, 'untrusted'],
    ['read_public', { taint: 'data' }, 'untrusted'],
    ['mystery', {}, 'untrusted'],
  ] as const) {
    const rules = sampleRules({ unlabelled: { ...sampleRules().unlabelled, verdict: 'allow' } })
    const session = createSampleSession({ rules })
    session.propose(tool)
    session.complete('c1', { tool, fingerprints: reported, ...claims })
    const matches = matchFingerprints(session.state.sources, reported)
    assert.deepEqual(
      [countOf(matches, 'target', 'trusted'), countOf(matches, 'target', 'untrusted')],
      origin === 'trusted' ? [1, 0] : [0, 1],
      `${tool} ${JSON.stringify(claims)}`,
    )
  }
})

test('a record keeps all sources and history, and has no columns for a session without reports', () => {
  const session = readingSession()
  session.propose('send_email', { fingerprints: ALL, signals: { outside: 0.5, amount: 0.125 } })
  session.propose('mystery', { fingerprints: ALL, signals: { outside: 1 } })
  assert.ok(session.state.calls.some((call) => call.status === 'pending' && call.matches && call.signals))
  assert.deepEqual(decodeState(encodeState(session.state)), { kind: 'state', state: session.state })
  const silent = createSampleSession()
  silent.propose('read_public')
  silent.complete('c1')
  assert.equal(JSON.parse(encodeState(silent.state)).length, 19)
})

test('a record whose sources, history or bucket are none is refused', () => {
  const session = readingSession()
  const row: unknown[] = JSON.parse(encodeState(session.state))
  assert.equal(row.length, 21)
  for (const [at, damages] of [
    [19, ['x', `${String(row[19])}a`, null, 1]],
    [20, [[-1], [null], ['x'], 1, []]],
  ] as const)
    for (const damage of damages)
      assert.equal(decodeState(JSON.stringify(row.with(at, damage))).kind, 'invalid', JSON.stringify(damage))
  for (const bucket of [8, -1, 0.5, '1', 0])
    assert.equal(decodeState(JSON.stringify([...row, bucket])).kind, 'invalid', String(bucket))
  assert.equal(decodeState(JSON.stringify([...row, 7])).kind, 'state')
})

test('more results than there is room for are bounded', () => {
  const session = createSampleSession({ started: { fingerprints: fingerprints(0, 128, 'w') } })
  for (let i = 1; i < 60; i++) {
    session.propose('read_public')
    session.complete(`c${2 * i - 1}`, { fingerprints: fingerprints(i * 200, 128, 'g') })
  }
  assert.ok(session.state.sources.length <= 6144)
  assert.ok(encodeState(session.state).length < 7000)
})

test('the report of a proposal counts for a step that ran without its approval', () => {
  const session = readingSession()
  const reported = {
    fingerprints: [INSTRUCTED],
    labels: { trust: 'untrusted' as const, confidentiality: 'sensitive' as const },
  }
  const { decision } = session.propose('mystery', reported)
  assert.equal(decision?.verdict, 'confirm')
  session.complete(session.state.calls.at(-1)?.callId ?? '', { tool: 'mystery' })
  const { history, safety, violations } = session.state
  assert.deepEqual([historyValue(history, 'steps.instructedOnly'), exposureOf(safety), violations], [1, 3, 1])
})
