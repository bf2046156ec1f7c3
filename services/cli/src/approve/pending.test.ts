import assert from 'node:assert/strict'
import { test } from 'node:test'
import { logged, decisionId, digestOf, PlimsollError, type Event } from '@plimsoll/contracts'
import { advance, encodeState, type SessionState } from '@plimsoll/engine'
import { compileRules, createRuleBook, defaultDocuments } from '@plimsoll/policy'
import { findPending, pendingText } from './pending.js'

const documents = await defaultDocuments()
const book = createRuleBook(compileRules(documents))
const expiresAt = documents.policy.approvals.ttlSeconds * 1000

const common = { schema: 1, sessionId: 's', producer: 'agent', time: 0 } as const
const argumentsDigest = digestOf({})
const events: readonly Event[] = [
  { ...common, type: 'session.started', id: 'a', seq: 0 },
  {
    ...common,
    type: 'tool.proposed',
    id: 'e',
    seq: 1,
    callId: 'c',
    tool: 'nobody_knows_it',
    argumentsDigest,
  },
]
const state = events.reduce<SessionState | undefined>(
  (before, event) => advance(before, logged(event, 0), book).state,
  undefined,
)
const body = `17 ${state ? encodeState(state) : ''}`
const asked = decisionId('s', 'e', 'step')

const storeOf = (body: string | undefined) => ({
  load: async () => [body === undefined ? undefined : { revision: 1, body, outbox: '' }],
})

test('finds what waits and shows it', async () => {
  const found = await findPending(storeOf(body), 's', asked, expiresAt - 1)
  assert.equal(found.tool, 'nobody_knows_it')
  const text = pendingText(found, 's')
  const parts = [
    'nobody_knows_it',
    argumentsDigest,
    'unlabelled:tool_unlabelled',
    new Date(expiresAt).toISOString(),
  ]
  for (const part of parts) assert.ok(text.includes(part), part)
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
