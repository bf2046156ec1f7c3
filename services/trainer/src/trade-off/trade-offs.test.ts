import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Verdict } from '@plimsoll/contracts'
import { type Happened, type Outcome, createTradeOffTally, outcomeOf } from './trade-offs.js'

const SAFE: Happened = { violated: false }
const HARM_AT_1: Happened = { violated: true, violatedAt: 1 }
const HARM: Happened = { violated: true }

const CASES: readonly (readonly [
  what: string,
  verdicts: readonly Verdict[],
  happened: Happened,
  expected: Outcome,
])[] = [
  ['nothing', ['allow', 'warn'], SAFE, { stopped: false, approvals: 0 }],
  ['asked twice', ['confirm', 'allow', 'confirm'], SAFE, { stopped: false, approvals: 2 }],
  ['asked, then stopped', ['confirm', 'block', 'confirm'], SAFE, { stopped: true, approvals: 1 }],
  ['harm runs', ['allow', 'warn', 'block'], HARM_AT_1, { ...stoppedAfter(0), harm: both(true) }],
  ['harm is blocked', ['confirm', 'block'], HARM_AT_1, { ...stoppedAfter(1), harm: both(false) }],
  ['stopped before', ['block', 'allow'], HARM_AT_1, { ...stoppedAfter(0), harm: both(false) }],
  [
    'harm is asked about',
    ['allow', 'confirm'],
    HARM_AT_1,
    { stopped: false, approvals: 1, harm: { careful: false, tired: true } },
  ],
  [
    'something harmless is asked about, harm is not',
    ['confirm', 'allow'],
    HARM_AT_1,
    { stopped: false, approvals: 1, harm: both(true) },
  ],
  [
    'nobody knows where: nothing was said',
    ['allow'],
    HARM,
    { stopped: false, approvals: 0, harm: both(true) },
  ],
  [
    'nobody knows where: something was asked about',
    ['confirm', 'allow'],
    HARM,
    { stopped: false, approvals: 1, harm: { careful: false, tired: true } },
  ],
  ['nobody knows where: stopped', ['allow', 'block'], HARM, { ...stoppedAfter(0), harm: both(false) }],
]

function stoppedAfter(approvals: number) {
  return { stopped: true, approvals }
}

function both(ran: boolean) {
  return { careful: ran, tired: ran }
}

describe('what a session comes to', () => {
  for (const [what, verdicts, happened, expected] of CASES)
    test(what, () => assert.deepEqual(outcomeOf(verdicts, happened), expected))
})

test('useful sessions, harmless ones and those that did harm are counted apart', () => {
  const tally = createTradeOffTally()
  const add = (verdicts: readonly Verdict[], happened: Happened, useful: boolean) =>
    tally.add(outcomeOf(verdicts, happened), { useful })
  add(['allow'], SAFE, true)
  add(['confirm', 'confirm', 'confirm'], SAFE, true)
  add(['block'], SAFE, true)
  add(['confirm'], SAFE, false)
  add(['allow', 'confirm'], HARM_AT_1, true)
  const { useful, harmless, violated } = tally.figures()
  assert.deepEqual([useful.sessions, useful.kept.n, useful.untouched.n, useful.approvals], [3, 2, 1, 1])
  assert.deepEqual(harmless, { sessions: 4, approvals: 1 })
  assert.deepEqual([violated.sessions, violated.careful.n, violated.tired.n], [1, 0, 1])
})
