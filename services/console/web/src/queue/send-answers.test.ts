import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answered, Question } from '../../../src/api.js'
import { RequestProblem } from '../api/requests.js'
import { sendAnswers } from './send-answers.js'

const questions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ decisionId: `d${at}` }) as Question)
const answered = (more: Partial<Answered> = {}): Answered => ({
  answer: { resolution: 'approved', by: 'ann', at: 0, scope: 'once' },
  ...more,
})
const approve = { resolution: 'approved' } as const

test('says what became of an approval', async () => {
  const cases: readonly (readonly [Answered, RegExp])[] = [
    [answered({ verdict: 'allow' }), /^Approved\. The step may run\.$/],
    [answered(), /No monitor has decided yet/],
    [
      answered({
        verdict: 'block',
        reasons: [{ source: 'flow', code: 'c', verdict: 'block', message: 'it leaks' }],
      }),
      /judged again: block, as it leaks$/,
    ],
  ]
  for (const [answer, text] of cases) {
    const notice = await sendAnswers(questions(1), approve, async () => answer)
    assert.equal(notice.kind, 'done')
    assert.match(notice.text, text)
  }
})

test('the one who comes second gets the first answer, with hidden characters made visible', async () => {
  const first = { resolution: 'denied', by: 'b\u202Eob', at: 0, scope: 'once', reason: 'no' } as const
  const notice = await sendAnswers(questions(1), approve, async () => {
    throw new RequestProblem(409, 'approval_answered', 'answered', first)
  })
  assert.equal(notice.kind, 'problem')
  assert.match(
    notice.text,
    /^b‹U\+202E›ob answered first \(denied at .*, “no”\): your answer does not count\.$/,
  )
})

test('of several, the failed ones are counted', async () => {
  const send = async (decisionId: string) => {
    if (decisionId === 'd1') throw new RequestProblem(410, 'approval_expired', 'expired')
    return answered({ verdict: 'allow' })
  }
  assert.deepEqual(await sendAnswers(questions(3), approve, send), {
    kind: 'problem',
    text: '2 of 3 answered. The question has expired: nothing was answered.',
  })
})
