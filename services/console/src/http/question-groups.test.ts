import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../shapes.js'
import { groupQuestions } from './question-groups.js'

const question = (decisionId: string, over: Partial<Question> = {}): Question => ({
  decisionId,
  sessionId: 's',
  tenant: 'default',
  tool: 'send_email',
  step: 1,
  argumentsDigest: decisionId,
  arguments: { lines: ['to: "a@example.org"'], isWhole: true, isCut: false },
  effects: [],
  labels: {},
  reasons: [{ source: 'confirmation', code: 'ask-mail', verdict: 'confirm', message: 'it leaves' }],
  message: 'it leaves',
  probability: 0.5,
  band: 0,
  scopes: ['once'],
  askedAt: 0,
  expiresAt: 600_000,
  ...over,
})

const idsOf = (questions: readonly Question[]) =>
  groupQuestions(questions).map((group) => group.questions.map(({ decisionId }) => decisionId))

test('questions that are alike are together, the first to expire first', () => {
  const later = question('a', { expiresAt: 700_000 })
  assert.deepEqual(idsOf([later, question('b')]), [['b', 'a']])
  assert.deepEqual(groupQuestions([]), [])
})

for (const [what, over] of [
  ['tenant', { tenant: 'acme' }],
  ['tool', { tool: 'send_mail' }],
  ['arguments', { arguments: { lines: ['to: "b@example.org"'], isWhole: true, isCut: false } }],
  ['reasons', { reasons: [{ source: 'line', code: 'other', verdict: 'confirm', message: 'x' }] }],
] as const)
  test(`another ${what} is another group`, () =>
    assert.equal(groupQuestions([question('a'), question('b', over)]).length, 2))

test('without all arguments, questions are alike by their digest', () => {
  const partly = { lines: ['to: "a@example.org"'], isWhole: false, isCut: false, problem: 'in part' }
  assert.equal(
    groupQuestions([question('a', { arguments: partly }), question('b', { arguments: partly })]).length,
    2,
  )
})

test('the riskier group is first; of equal ones that which expires first', () => {
  const of = (id: string, over: Partial<Question>) => question(id, { tool: id, ...over })
  assert.deepEqual(
    idsOf([
      of('calm', { probability: 0.1 }),
      of('late', { expiresAt: 900_000 }),
      of('soon', { expiresAt: 300_000 }),
      of('risky', { probability: 0.8, expiresAt: 900_000 }),
    ]),
    [['soon'], ['risky'], ['late'], ['calm']],
  )
})
