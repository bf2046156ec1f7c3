import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEAD_LETTER_HEADERS, PlimsollError, eventSchema, isSignedBy, parseJson } from '@plimsoll/contracts'
import type { LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import type { Question } from '../shapes.js'
import type { ReadStore, StoredQuestion } from '../store/read-store.js'
import { AnsweredBefore, createAnswers } from './answer-question.js'

const KEY = 'k'.repeat(16)
const ID = 's#e#step'

const QUESTION: Question = {
  decisionId: ID,
  sessionId: 's',
  tenant: 'default',
  tool: 'send_email',
  step: 1,
  argumentsDigest: 'd'.repeat(64),
  arguments: { lines: [], isWhole: true, isCut: false },
  effects: [],
  labels: {},
  reasons: [],
  message: '',
  band: 0,
  scopes: ['once'],
  askedAt: 0,
  expiresAt: 1_000,
}

const isLostTo = (by: string) => (error: unknown) =>
  error instanceof AnsweredBefore && error.answered?.by === by

/** Answers over a store with one open question. */
function createWorld(over: { readonly decisionMsMax?: number; readonly nowMs?: number } = {}) {
  const sent: OutgoingRecord[] = []
  let found: StoredQuestion = { question: QUESTION, callId: 'c', closed: undefined }
  let isAway = false
  let onSent: () => void = () => {}
  const answers = createAnswers({
    log: {
      produce: async (_, records) => {
        if (isAway) throw new PlimsollError('log_unavailable', 'away')
        sent.push(...records)
        onSent()
      },
    },
    topics: { events: 'events' },
    store: { question: async () => found } as Pick<ReadStore, 'question'> as ReadStore,
    signingKey: KEY,
    clock: { now: () => over.nowMs ?? 0 },
    decisionMsMax: over.decisionMsMax ?? 60_000,
  })
  const eventOf = (record: OutgoingRecord | undefined) => eventSchema.parse(parseJson(record?.value))
  return {
    answers,
    sent,
    eventOf,
    answer: (by = 'ines') => answers.answer(found, by, { resolution: 'approved' }),
    setAway: (away: boolean) => void (isAway = away),
    published: () => new Promise<void>((resolve) => (onSent = resolve)),
    /** The decision on the answer `eventId` arrives. */
    decide(eventId: string, by: string): void {
      const answer = { resolution: 'approved', by, at: 5, scope: 'once' } as const
      found = { ...found, closed: { at: 5, by: { eventId, verdict: 'allow', answer } } }
      answers.applied([ID])
    },
  }
}

test('publishes a signed answer, and resolves with the verdict', async () => {
  const { answer, sent, eventOf, published, decide } = createWorld()
  const wait = published()
  const answered = answer()
  await wait
  const event = eventOf(sent[0])
  assert.ok(event.type === 'approval.resolved' && isSignedBy(event, KEY))
  assert.deepEqual(
    [event.decisionId, event.by, event.expiresAt, event.scope],
    [ID, 'ines', QUESTION.expiresAt, undefined],
  )
  decide(event.id, 'ines')
  assert.equal((await answered).verdict, 'allow')
})

test('the first answer in this process wins; the first one of another process, too', async () => {
  const { answer, published, decide } = createWorld()
  const wait = published()
  const first = answer('ines')
  await assert.rejects(answer('omar'), isLostTo('ines'))
  await wait
  decide('of another process', 'vera')
  await assert.rejects(first, isLostTo('vera'))
})

test('what the monitors refuse is an error with their code', async () => {
  const { answer, answers, sent, eventOf, published } = createWorld()
  const wait = published()
  const answered = answer()
  await wait
  const letter = (value: string): LogRecord => ({
    topic: 'dead',
    partition: 0,
    offset: 0n,
    key: 's',
    value: Buffer.from(value),
    headers: {
      [DEAD_LETTER_HEADERS.code]: 'approval_mismatch',
      [DEAD_LETTER_HEADERS.message]: 'other steps ran',
    },
    timeMs: 0,
  })
  answers.receiveDeadLetter(letter('no JSON'))
  answers.receiveDeadLetter(letter('{"id":"of somebody else"}'))
  answers.receiveDeadLetter(letter(JSON.stringify(eventOf(sent[0]))))
  await assert.rejects(answered, { code: 'approval_mismatch', message: 'other steps ran' })
})

test('without a decision in time the answer may still count', async () => {
  const { answer } = createWorld({ decisionMsMax: 1 })
  assert.deepEqual(await answer(), { answer: { resolution: 'approved', by: 'ines', at: 0, scope: 'once' } })
})

test('an answer that could not be published can be given again', async () => {
  const { answer, setAway, published, decide, sent, eventOf } = createWorld()
  setAway(true)
  await assert.rejects(answer(), { code: 'log_unavailable' })
  setAway(false)
  const wait = published()
  const again = answer('omar')
  await wait
  decide(eventOf(sent[0]).id, 'omar')
  assert.equal((await again).answer.by, 'omar')
})

test('a question that has expired is not answered', async () => {
  const { answer, sent } = createWorld({ nowMs: 1_000 })
  await assert.rejects(answer(), { code: 'approval_expired' })
  assert.deepEqual(sent, [])
})
