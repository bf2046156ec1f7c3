import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Decision, Reason, Verdict } from '@plimsoll/contracts'
import { chiefReason, decisionLegend, decisionLine } from './decision-line.js'
import { countsTable, createSamples, createTally, p50AndP99 } from './tally.js'

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

const block = {
  verdict: 'block',
  kind: 'step',
  sessionId: 's-1',
  tool: 'send_email',
  reasons: [reason('block', 'no')],
}
const risk = { horizon: 5, probability: 0.2371, level: 'violated', exposure: 'sensitive' }
const shown = (fields: object, colour = false) =>
  decisionLine({ ...block, ...fields } as unknown as Decision, { colour })

test('shows a decision on one aligned line', () => {
  const line = shown({ risk })
  assert.match(line, /^block +s-1 +send_email +sensitive +█▉·+ +23\.7% +no\n$/)
  assert.equal(shown({}).indexOf('no'), line.indexOf('no'))
  const long = shown({ risk, sessionId: `tenant/${'x'.repeat(60)}:17` })
  assert.equal(long.indexOf('send_email'), line.indexOf('send_email'))
  assert.match(long, /^block +tenant\/x+…x+:17 /)
  assert.match(decisionLegend(5, { colour: false }), /next 5 steps/)
  const heads = decisionLegend(5, { colour: false }).split('\n').at(-2) ?? ''
  assert.equal(heads.indexOf('reason'), line.indexOf('no'))
  assert.equal(heads.indexOf('exposure'), line.indexOf('sensitive'))
})

test('colours the verdict, and nothing without colour', () => {
  assert.ok(shown({ risk }, true).startsWith('\u001B[31mblock\u001B[0m'))
  assert.ok(!shown({ risk }).includes('\u001B'))
})

test('says who approved or denied a step, and what lifted a reason', () => {
  const lifted = (by: string) => ({ verdict: 'allow', reasons: [reason('block', 'no', by)] })
  assert.match(shown({ ...lifted('approval:ada'), kind: 'approval' }), / approved by ada: no\n$/)
  assert.match(shown({ kind: 'approval' }), / denied: no\n$/)
  assert.match(shown(lifted('own-files')), / no \(lifted by own-files\)\n$/)
  assert.match(shown({ verdict: 'allow', reasons: [reason('allow', 'fine')] }), /send_email *\n$/)
})
