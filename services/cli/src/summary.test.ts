import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision, Reason, Verdict } from '@plimsoll/contracts'
import { chiefReason, decisionLine } from './commands/services/up.js'
import { countsTable, createSamples, createTally, p50AndP99 } from './format/text-table.js'

test('counts sessions, steps and verdicts by name and over all', () => {
  const tally = createTally()
  tally.session('b')
  tally.session('a')
  tally.step('b', 'warn')
  tally.step('b', 'block')
  tally.step('a', 'allow')
  assert.deepEqual(tally.total(), {
    sessions: 2,
    steps: 3,
    verdicts: { allow: 1, warn: 1, confirm: 0, block: 1 },
  })
  assert.deepEqual(Object.keys(tally.byName()), ['a', 'b'])
  assert.equal(
    countsTable('category', tally.byName(), tally.total()),
    [
      'category  sessions  steps  allow  warn  confirm  block',
      'a                1      1      1     0        0      0',
      'b                1      2      0     1        0      1',
      'all              2      3      1     1        0      1',
      '',
    ].join('\n'),
  )
})

test('takes quantiles of the latest samples', () => {
  const samples = createSamples(100)
  assert.deepEqual(p50AndP99(samples), { p50: 0, p99: 0 })
  for (let i = 1; i <= 200; i++) samples.add(i)
  assert.deepEqual(p50AndP99(samples), { p50: 150, p99: 199 })
})

const reason = (verdict: Verdict, message: string, liftedBy?: string): Reason => ({
  source: 'line',
  code: 'c',
  verdict,
  message,
  ...(liftedBy && { liftedBy }),
})

test('the chief reason is the most severe that stands, else the most severe that was lifted', () => {
  assert.equal(chiefReason([]), undefined)
  assert.equal(chiefReason([reason('warn', 'a'), reason('confirm', 'b', 'x')])?.message, 'a')
  assert.equal(chiefReason([reason('warn', 'a'), reason('block', 'b'), reason('block', 'c')])?.message, 'b')
  assert.equal(chiefReason([reason('warn', 'a', 'x'), reason('confirm', 'b', 'x')])?.message, 'b')
})

test('shows a decision on one aligned line', () => {
  const decision = {
    verdict: 'block',
    kind: 'step',
    sessionId: 's-1',
    tool: 'send_email',
    reasons: [reason('block', 'no')],
  }
  const risk = { horizon: 5, probability: 0.2371, level: 'violated' }
  const line = decisionLine({ ...decision, risk } as Decision, { colour: false })
  assert.match(line, /^block +s-1 +send_email +violated +P\(5\) +23\.7% +line: no\n$/)
  const bare = decisionLine(decision as Decision, { colour: false })
  assert.equal(bare.indexOf('line: no'), line.indexOf('line: no'))
})
