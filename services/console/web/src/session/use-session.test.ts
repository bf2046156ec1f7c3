import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question, SessionPage, Step } from '../../../src/api.js'
import { withBatch } from './use-session.js'
import { sampleRow as row } from '../api/sample-row.js'

const step = (eventId: string, verdict: 'allow' | 'confirm'): Step => ({
  step: 1,
  callId: eventId,
  eventId,
  tool: 't',
  verdict,
  effects: [],
  labels: {},
  reasons: [],
})
const question = (decisionId: string, sessionId: string): Question => ({ decisionId, sessionId }) as Question

const page: SessionPage = {
  session: row('s'),
  steps: [step('e1', 'confirm')],
  isCut: false,
  relatives: [row('child')],
  questions: [question('d1', 's')],
  notes: [],
}
const nothing = { sessions: new Map(), steps: [], questions: [], answered: [] }

test('a batch about other sessions leaves the page as it is', () => {
  const batch = {
    ...nothing,
    sessions: new Map([['x', row('x')]]),
    steps: [{ sessionId: 'x', tenant: 'default', step: step('e9', 'allow') }],
    questions: [question('d9', 'x')],
  }
  assert.equal(withBatch(page, batch), page)
})

test('a step is replaced by what comes later of it, and new ones follow', () => {
  const live = (each: Step) => ({ sessionId: 's', tenant: 'default', step: each })
  const { steps } = withBatch(page, {
    ...nothing,
    steps: [live(step('e2', 'allow')), live(step('e1', 'allow'))],
  })
  assert.deepEqual(
    steps.map(({ eventId, verdict }) => [eventId, verdict]),
    [
      ['e1', 'allow'],
      ['e2', 'allow'],
    ],
  )
})

test('questions come once and go when they are answered', () => {
  const asked = withBatch(page, { ...nothing, questions: [question('d1', 's'), question('d2', 's')] })
  assert.deepEqual(
    asked.questions.map(({ decisionId }) => decisionId),
    ['d1', 'd2'],
  )
  const answered = withBatch(asked, { ...nothing, answered: [{ decisionId: 'd1', sessionId: 's' }] })
  assert.deepEqual(
    answered.questions.map(({ decisionId }) => decisionId),
    ['d2'],
  )
})

test('a sub-session is kept up to date', () => {
  const { relatives } = withBatch(page, {
    ...nothing,
    sessions: new Map([['child', { ...row('child'), steps: 9 }]]),
  })
  assert.equal(relatives[0]?.steps, 9)
})
