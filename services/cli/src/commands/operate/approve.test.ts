import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Decision,
  type Event,
  type Verdict,
  DEAD_LETTER_HEADERS,
  PlimsollError,
  approvalRecord,
  decisionId,
  digestOf,
  logged,
} from '@plimsoll/contracts'
import { type SessionState, advance, encodeState } from '@plimsoll/engine'
import { compileRules, createPinnedRules, defaultDocuments } from '@plimsoll/policy'
import type { LogRecord } from '@plimsoll/runtime'
import { type Resolution, assertCounts, deadLetterOn, decisionOn, verdictOn } from './watch-answer.js'
import { findPending, pendingText } from './approve.js'

const documents = await defaultDocuments()
const pinnedRules = createPinnedRules(compileRules(documents))
const expiresAt = documents.policy.approvals.ttlSeconds * 1000

const common = { schema: 1, sessionId: 's', producer: 'agent', time: 0 } as const
const argumentsDigest = digestOf({})
const events: readonly Event[] = [
  { ...common, type: 'session.started', id: 'a', seq: 0 },
  {
    ...common,
    type: 'step.proposed',
    id: 'e',
    seq: 1,
    callId: 'c',
    tool: 'nobody_knows_it',
    argumentsDigest,
  },
]
const state = events.reduce<SessionState | undefined>(
  (before, event) => advance(before, logged(event, 0), pinnedRules).state,
  undefined,
)
const body = `17 ${state ? encodeState(state) : ''}`
const asked = decisionId('s', 'e', 'step')

const storeOf = (body: string | undefined) => ({
  load: async () => [body === undefined ? undefined : { revision: 1, body, outbox: '' }],
})

test('finds the waiting call and shows its step first', async () => {
  const found = await findPending(storeOf(body), 's', asked, expiresAt - 1)
  const values = { body: 'Hello\n', to: 'ann@example.com' }
  const text = pendingText(found, 's', { isWhole: true, values })
  assert.deepEqual(text.split('\n').slice(0, 4), [
    'tool                  nobody_knows_it',
    'arguments             all of them, as the digest that is approved proves',
    '  to: "ann@example.com"',
    String.raw`  body: "Hello\n"`,
  ])
  assert.match(text, /^reasons +unlabelled:tool_unlabelled$/m)
  assert.ok(text.includes(new Date(expiresAt).toISOString()))
})

test('says why arguments are not shown, beside the digest', async () => {
  const found = await findPending(storeOf(body), 's', asked, expiresAt - 1)
  const reported = {
    isWhole: false,
    values: undefined,
    producer: undefined,
    problem: 'none is disclosed',
  } as const
  assert.match(
    pendingText(found, 's', reported),
    new RegExp(`^arguments +none is disclosed \\(digest ${argumentsDigest}\\)\nsession +s$`, 'm'),
  )
})

const refusals: readonly (readonly [
  body: string | undefined,
  decisionId: string,
  now: number,
  code: string,
])[] = [
  [undefined, asked, 0, 'session_state_lost'],
  ['17 {"no":"array"}', asked, 0, 'record_invalid'],
  ['17 [99]', asked, 0, 'record_too_new'],
  [body, decisionId('s', 'other', 'step'), 0, 'approval_unknown'],
  [body, asked, expiresAt, 'approval_expired'],
]

for (const [text, decision, now, code] of refusals)
  test(`refuses with ${code}`, async () => {
    await assert.rejects(
      findPending(storeOf(text), 's', decision, now),
      (error) => error instanceof PlimsollError && error.code === code,
    )
  })

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

const reported = {
  id: 'a',
  producer: 'plimsoll-cli',
  sessionId: 's',
  decisionId: 's#e#step',
  argumentsDigest: '0'.repeat(64),
  expiresAt: 0,
  timeMs: 0,
}
const good = { ...reported, resolution: 'approved', by: 'ada' } as const

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
        error.message.startsWith(`${field}: `),
    ))
