import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { wilson } from '@plimsoll/chains'
import type { Verdict } from '@plimsoll/contracts'
import type { RecordedTruth } from '@plimsoll/fit'
import { createDiffTally } from './diff-tally.js'
import type { JudgedStep } from './diff.js'

const TRUTH: RecordedTruth = {
  excluded: undefined,
  unsafe: false,
  violatedAt: undefined,
  hasSteps: true,
  assumed: false,
  instructedAt: undefined,
  unexecuted: new Set(),
}
const violatedAt = (violatedAt: number): RecordedTruth => ({ ...TRUTH, unsafe: true, violatedAt })
const UNKNOWN: RecordedTruth = { ...TRUTH, excluded: 'label_unknown' }

const side = (verdict: Verdict, code: string) => ({
  verdict,
  reasons: verdict === 'allow' ? [] : [{ source: 'blocklist' as const, code, verdict, message: 'no' }],
})
/** Of each step the old verdict and the candidate's. */
const steps = (...pairs: readonly (readonly [Verdict, Verdict])[]): JudgedStep[] =>
  pairs.map(([old, candidate], i) => ({
    tool: i === 0 ? 'read' : 'send',
    old: side(old, 'former'),
    candidate: side(candidate, 'latter'),
  }))

describe('the diff of sessions', () => {
  const tally = createDiffTally(1)
  tally.session('calm', steps(['allow', 'allow'], ['allow', 'allow']), TRUTH)
  tally.session('stopped', steps(['allow', 'allow'], ['allow', 'block'], ['allow', 'block']), TRUTH)
  tally.session('freed', steps(['confirm', 'allow']), TRUTH)
  tally.session('caught', steps(['allow', 'confirm'], ['allow', 'allow']), violatedAt(1))
  tally.session('too late', steps(['allow', 'allow'], ['allow', 'block']), violatedAt(0))
  tally.session('nobody knows', steps(['allow', 'warn']), UNKNOWN)
  const diff = tally.figures()

  test('counts steps and sessions by what becomes of them', () => {
    assert.deepEqual([diff.sessions, diff.steps, diff.changed], [6, 11, { steps: 6, sessions: 5 }])
    assert.deepEqual(diff.changes, {
      blocked: { steps: 3, sessions: 2 },
      asked: { steps: 1, sessions: 1 },
      warned: { steps: 1, sessions: 1 },
      eased: { steps: 1, sessions: 1 },
    })
    assert.equal(diff.verdicts.allow.block, 3)
    assert.equal(diff.verdicts.confirm.allow, 1)
  })

  test('counts what the catalogue does not label, under either policy', () => {
    assert.deepEqual(diff.unlabelled, { steps: 0, tools: 0 })
    const strangers = createDiffTally(1)
    const stranger = { ...side('confirm', 'tool_unlabelled'), verdict: 'confirm' as const }
    const [known] = steps(['allow', 'block'])
    assert.ok(known)
    const [old, candidate] = [side('allow', ''), stranger]
    strangers.session(
      'a',
      [known, { tool: 'x', old, candidate }, { tool: 'x', old: stranger, candidate }],
      TRUTH,
    )
    strangers.session('b', [{ tool: 'y', old: stranger, candidate: old }], TRUTH)
    assert.deepEqual(strangers.figures().unlabelled, { steps: 3, tools: 2 })
  })

  test('tells whose word it was, at which tools, in how many safe sessions and violated ones', () => {
    assert.deepEqual(
      diff.bySpec.map(({ code, how, sessions, safeSessions, violatedSessions }) => [
        `${code} ${how}`,
        sessions,
        safeSessions,
        violatedSessions,
      ]),
      [
        ['latter speaks', 4, 1, 1],
        ['former silent', 1, 1, 0],
      ],
    )
    assert.deepEqual(
      diff.byTool.map(({ tool, steps }) => [tool, steps.blocked, steps.eased]),
      [
        ['send', 3, 0],
        ['read', 0, 1],
      ],
    )
  })

  test('estimates false positives among safe sessions, and what is caught by the step that did harm', () => {
    const { safe, violated, unknown } = diff
    assert.deepEqual([safe.sessions, violated.sessions, unknown], [3, 2, 1])
    assert.deepEqual(safe.stopped, {
      old: wilson(0, 3),
      candidate: wilson(1, 3),
      newly: wilson(1, 3),
      noLonger: wilson(0, 3),
    })
    assert.deepEqual([safe.disturbed.old, safe.disturbed.noLonger], [wilson(1, 3), wilson(1, 3)])
    assert.deepEqual(safe.approvals, { old: 1 / 3, candidate: 0 })
    assert.deepEqual([violated.caught.newly, violated.stopped.newly], [wilson(1, 2), wilson(0, 2)])
  })

  test('shows one step of each way, with the reasons before and after', () => {
    const shown = diff.examples.map(({ session, step, truth }) => `${session} ${step} ${truth}`)
    assert.deepEqual(shown, [
      'stopped 2 safe',
      'freed 1 safe',
      'caught 1 violated',
      'too late 2 violated',
      'nobody knows 1 unknown',
    ])
    assert.deepEqual(diff.examples[0]?.candidate.reasons, [
      { source: 'blocklist', code: 'latter', verdict: 'block', message: 'no' },
    ])
  })
})
