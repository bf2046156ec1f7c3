import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Inherits } from '@plimsoll/contracts'
import { exposureOf } from '../labels/safety-state.js'
import { countOf, matchFingerprints } from '../provenance/matches.js'
import { isBlind } from '../provenance/sources.js'
import { createSampleSession, fingerprint, fingerprints } from '../testing.js'
import { historyValue } from './history.js'
import { decodeState, encodeState } from './record/record.js'

const SECRET = fingerprint(1, 'i')
const PAGE = fingerprint(2, 'u')
const DEMAND = fingerprint(3, 'a')
const OWN = fingerprint(4, 'a')

const child = (inherits: Inherits, reported: readonly string[] = []) =>
  createSampleSession({ started: { root: 'parent', inherits, fingerprints: [...reported] } })

test('whatever is handed over raises the session that starts with it', () => {
  for (const [inherits, exposure, taint, blind] of [
    [{}, 0, 0, false],
    [{ taint: 'data' }, 0, 1, false],
    [{ taint: 'instructions', confidentiality: 'internal' }, 2, 2, false],
    [{ confidentiality: 'sensitive' }, 3, 0, true],
    [{ confidentiality: 'credentials', fingerprints: { sensitive: [SECRET] } }, 4, 0, false],
    [{ fingerprints: { sensitive: [SECRET] } }, 3, 0, false],
    [{ fingerprints: { sensitive: fingerprints(9, 128, 'g') } }, 3, 0, true],
    [{ unseen: true, fingerprints: { sensitive: [SECRET] } }, 3, 0, true],
    [{ unseen: true }, 3, 0, true],
    [{ fingerprints: { untrusted: [PAGE] } }, 0, 1, false],
    [{ taint: 'none', fingerprints: { instructed: [DEMAND] } }, 0, 2, false],
  ] as const) {
    const { state } = child(inherits as Inherits)
    const reached = [exposureOf(state.safety), state.taint, isBlind(state.sources)]
    assert.deepEqual(reached, [exposure, taint, blind], JSON.stringify(inherits))
    assert.deepEqual(decodeState(encodeState(state)), { kind: 'state', state })
  }
})

test("nothing inherited is trusted or the task's, also where the task repeats it", () => {
  const inherits = { fingerprints: { untrusted: [PAGE], instructed: [DEMAND], sensitive: [SECRET] } }
  const all = [SECRET, PAGE, DEMAND, OWN]
  const { state } = child(inherits, all)
  const of = (value: string) => {
    const matches = matchFingerprints(state.sources, [`n${value.slice(1)}`])
    return (['task', 'trusted', 'untrustedOnly', 'instructedOnly', 'sensitiveOnly'] as const).filter(
      (origin) => countOf(matches, 'name', origin) > 0,
    )
  }
  assert.deepEqual(all.map(of), [
    ['sensitiveOnly'],
    ['untrustedOnly'],
    ['untrustedOnly', 'instructedOnly'],
    ['task'],
  ])
})

test('a task from an agent with incompletely reported instructions names nothing', () => {
  for (const [instructed, isNamed] of [
    [[DEMAND], true],
    [[], false],
    [fingerprints(9, 128, 'w'), false],
  ] as const) {
    const inherits = { taint: 'instructions' as const, fingerprints: { instructed: [...instructed] } }
    const matches = matchFingerprints(child(inherits, [OWN]).state.sources, [OWN])
    assert.equal(countOf(matches, 'target', 'task'), isNamed ? 1 : 0)
  }
})

test('inherited instructions are remembered as those of a result, with their signals', () => {
  const started = { inherits: { taint: 'instructions' }, signals: { instructions: 0.9 } } as const
  const { history } = createSampleSession({ started }).state
  assert.deepEqual(
    [historyValue(history, 'instructed.results'), historyValue(history, 'most.instructions')],
    [1, 0.9],
  )
  const labelsOnly = createSampleSession({
    started: { ...started, inherits: { confidentiality: 'sensitive' } },
  })
  assert.equal(historyValue(labelsOnly.state.history, 'instructed.results'), 0)
})

test('a sub-agent raises the state of its parent session, and lowers nothing', () => {
  const session = createSampleSession()
  session.propose('read_public')
  const inherits = {
    taint: 'instructions',
    fingerprints: { sensitive: [SECRET], instructed: [DEMAND] },
  } as const
  session.complete('c1', {
    inherits: { ...inherits, fingerprints: { sensitive: [SECRET], instructed: [DEMAND] } },
  })
  const { state } = session
  assert.deepEqual([exposureOf(state.safety), state.taint, isBlind(state.sources)], [3, 2, false])
  assert.equal(historyValue(state.history, 'instructed.results'), 1)
  const sent = session.propose('send_email', { fingerprints: [SECRET] })
  assert.equal(sent.decision?.risk?.evidence, 'present')
  session.propose('read_public')
  session.complete('c4', { inherits: { taint: 'none' } })
  assert.deepEqual([exposureOf(session.state.safety), session.state.taint], [3, 2])
})
