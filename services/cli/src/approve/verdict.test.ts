import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  approvalRecord,
  DEAD_LETTER_HEADERS,
  PlimsollError,
  type Decision,
  type Verdict,
} from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import { deadLetterOn, decisionOn } from './answer.js'
import { assertCounts } from './check-record.js'
import { verdictOn, type Resolution } from './verdict.js'

const decisionOf = (verdict: Verdict, kind: Decision['kind'] = 'approval'): Decision => ({
  schema: 1,
  id: `s#a#${kind}`,
  kind,
  sessionId: 's',
  tenant: 'default',
  mode: 'enforce',
  eventId: 'a',
  callId: 'c',
  tool: 'send_email',
  argumentsDigest: '0'.repeat(64),
  verdict,
  reasons: [{ source: 'approval', code: 'approval_expired', verdict, message: 'came too late' }],
  facts: {},
  step: 1,
  time: 0,
})

const recordOf = (value: string | null, headers: LogRecord['headers'] = {}): LogRecord => ({
  topic: 't',
  partition: 0,
  offset: 0n,
  key: 's',
  value: value === null ? null : Buffer.from(value),
  headers,
  timeMs: 0,
})

const CASES: readonly (readonly [Verdict, Resolution, code: number, failure: RegExp])[] = [
  ['allow', 'approved', 0, /^$/],
  ['warn', 'approved', 0, /^$/],
  ['block', 'denied', 0, /^$/],
  ['block', 'approved', 1, /stays blocked/],
  ['confirm', 'approved', 1, /again, to decision `s#a#approval`/],
]

for (const [verdict, resolution, code, failure] of CASES)
  test(`${resolution} and judged ${verdict}: exit code ${code}`, () => {
    const answer = decisionOn('a', recordOf(JSON.stringify(decisionOf(verdict))))
    const made = verdictOn(answer, resolution, 10)
    assert.equal(made.exitCode, code)
    assert.match(made.failure ?? '', failure)
    assert.match(
      made.text,
      new RegExp(`^verdict +${verdict}\nreason +approval:approval_expired: came too late`),
    )
  })

test('a dead letter and silence are failures', () => {
  const headers = { [DEAD_LETTER_HEADERS.code]: 'signature_invalid', [DEAD_LETTER_HEADERS.message]: 'no' }
  const letter = deadLetterOn('a', recordOf('{"id":"a"}', headers))
  assert.deepEqual(verdictOn(letter, 'approved', 10), {
    exitCode: 1,
    text: '',
    failure: 'signature_invalid: no',
  })
  const silence = verdictOn(undefined, 'denied', 7)
  assert.equal(silence.exitCode, 1)
  assert.match(silence.failure ?? '', /^published, but no monitor answered in time \(7 s\)/)
})

test('records of others answer nothing', () => {
  const step = JSON.stringify(decisionOf('allow', 'step'))
  for (const value of [null, 'no json', '1', 'null', '{}', '{"id":"b"}', step]) {
    assert.equal(decisionOn('a', recordOf(value)), undefined)
    if (value !== step) assert.equal(deadLetterOn('a', recordOf(value)), undefined)
  }
  assert.equal(decisionOn('b', recordOf(JSON.stringify(decisionOf('allow')))), undefined)
})

const told = {
  id: 'a',
  producer: 'plimsoll-cli',
  sessionId: 's',
  decisionId: 's#e#step',
  argumentsDigest: '0'.repeat(64),
  expiresAt: 0,
  timeMs: 0,
}
const good = { ...told, resolution: 'approved', by: 'ada' } as const

test('what the event schema takes counts', () => assertCounts(approvalRecord(good, 'key')))

for (const [field, wrong] of [
  ['by', { by: 'ada\nlovelace' }],
  ['by', { by: '' }],
  ['reason', { reason: 'x'.repeat(2001) }],
] as const)
  test(`\`${field}\` as ${JSON.stringify(wrong).slice(0, 30)} is refused`, () =>
    assert.throws(
      () => assertCounts(approvalRecord({ ...good, ...wrong }, 'key')),
      (error) =>
        error instanceof PlimsollError &&
        error.code === 'usage_invalid' &&
        error.message.startsWith(`\`${field}\`: `),
    ))
