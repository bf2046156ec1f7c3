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
    type: 'step.proposed',
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

test('finds what waits and shows the step first', async () => {
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

test('what cannot be shown is told beside the digest', async () => {
  const found = await findPending(storeOf(body), 's', asked, expiresAt - 1)
  const told = {
    isWhole: false,
    values: undefined,
    producer: undefined,
    problem: 'none is disclosed',
  } as const
  assert.match(
    pendingText(found, 's', told),
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
