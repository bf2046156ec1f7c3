import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalRecord } from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import { createEventReader, readDecision } from './read-records.js'

const KEY = 'k'.repeat(16)

const recordOf = (key: string | null, value: string | null): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: 3n,
  key,
  value: value === null ? null : Buffer.from(value),
  headers: {},
  timeMs: 5,
})

const ENDED = { schema: 1, id: 'e', sessionId: 's', producer: 'p', seq: 0, time: 0, type: 'session.ended' }

test('records that every monitor refuses change nothing', () => {
  const read = createEventReader(KEY)
  assert.equal(read(recordOf('s', JSON.stringify(ENDED))).length, 1)
  for (const record of [
    recordOf('s', null),
    recordOf('s', '{'),
    recordOf('s', '[]'),
    recordOf('other', JSON.stringify(ENDED)),
    recordOf(null, JSON.stringify(ENDED)),
    recordOf('s', JSON.stringify({ ...ENDED, type: 'session.deleted' })),
  ])
    assert.deepEqual(read(record), [])
})

test('an answer counts with the signature of the deployment', () => {
  const answer = (key: string) =>
    approvalRecord(
      {
        id: 'a',
        sessionId: 's',
        decisionId: 's#e#step',
        argumentsDigest: 'd'.repeat(64),
        expiresAt: 9,
        resolution: 'approved',
        by: 'ines',
        producer: 'p',
        timeMs: 1,
      },
      key,
    ).value
  const read = createEventReader(KEY)
  assert.equal(read(recordOf('s', answer(KEY)))[0]?.kind, 'answer')
  assert.deepEqual(read(recordOf('s', answer('x'.repeat(16)))), [])
  assert.equal(createEventReader(undefined)(recordOf('s', answer('x'.repeat(16)))).length, 1)
})

test('a decision of another session or tenant than its key changes nothing; an alert is a note too', () => {
  const decision = {
    schema: 1,
    id: 'acme~s#e#alert',
    kind: 'alert',
    sessionId: 'acme~s',
    tenant: 'acme',
    mode: 'enforce',
    eventId: 'e',
    callId: '',
    tool: '',
    argumentsDigest: '',
    verdict: 'warn',
    reasons: [{ source: 'mustlist', code: 'log-it', verdict: 'warn', message: 'not logged in time' }],
    facts: {},
    step: 1,
    time: 4,
  }
  const text = (over: object = {}) => JSON.stringify({ ...decision, ...over })
  assert.deepEqual(
    readDecision(recordOf('acme~s', text())).map(({ kind }) => kind),
    ['decided', 'note'],
  )
  assert.deepEqual(readDecision(recordOf('other', text())), [])
  assert.deepEqual(readDecision(recordOf('acme~s', text({ tenant: 'globex' }))), [])
  assert.deepEqual(readDecision(recordOf('acme~s', 'null')), [])
})
