import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '@plimsoll/client'
import type { Evidence, Verdict } from '@plimsoll/contracts'
import type { Trace } from '@plimsoll/fit'
import { createLineTally, truthOf } from './replay-report.js'

const traceOf = (id: string, unsafe: boolean | null): Trace => ({ trace_id: id, label: { unsafe } }) as Trace

function answerOf(source: 'line' | 'hazard', verdict: Verdict, evidence?: Evidence): Answer {
  const reasons = [{ source, verdict }]
  return { verdict, decision: { reasons, risk: { ...(evidence && { evidence }) } } } as unknown as Answer
}

test('counts what the line said, by evidence and by truth, and nothing of other sources', () => {
  const tally = createLineTally()
  const [leak, fine, open] = [traceOf('a', true), traceOf('b', false), traceOf('c', null)]
  tally.answer(leak, answerOf('line', 'confirm'))
  tally.answer(leak, answerOf('line', 'block', 'present'))
  tally.answer(leak, answerOf('line', 'allow', 'absent'))
  tally.answer(fine, answerOf('hazard', 'block', 'present'))
  tally.answer(open, answerOf('line', 'confirm', 'unknown'))
  for (const trace of [leak, fine, open]) tally.session(trace)
  const { stepsByEvidence, sessionsByWorstVerdict } = tally.figures()
  assert.deepEqual(stepsByEvidence, {
    present: { unsafe: 1, safe: 0, unknown: 0 },
    absent: { unsafe: 1, safe: 0, unknown: 0 },
    unknown: { unsafe: 1, safe: 0, unknown: 1 },
  })
  assert.deepEqual(sessionsByWorstVerdict, {
    unsafe: { allow: 0, warn: 0, confirm: 0, block: 1 },
    safe: { allow: 1, warn: 0, confirm: 0, block: 0 },
    unknown: { allow: 0, warn: 0, confirm: 1, block: 0 },
  })
})

test('a session is unknown where its label is partial, in words alone or not confirmed', () => {
  for (const label of [{ partial: true }, { text_only: true }, { agree: false }, { unsafe: null }])
    assert.equal(
      truthOf({ ...traceOf('a', false), label: { unsafe: false, ...label } } satisfies Trace),
      'unknown',
    )
  assert.equal(truthOf(traceOf('a', true)), 'unsafe')
  assert.equal(truthOf(traceOf('a', false)), 'safe')
})

test('a step that nobody decided says nothing of the line', () => {
  const tally = createLineTally()
  const trace = traceOf('a', true)
  tally.answer(trace, { verdict: 'block', by: 'fail_closed' } as Answer)
  tally.session(trace)
  assert.equal(tally.figures().sessionsByWorstVerdict.unsafe.allow, 1)
})
