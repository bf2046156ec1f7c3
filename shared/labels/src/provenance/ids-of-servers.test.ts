import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentText } from './argument-text.js'
import { createServerIds, hasOtherRun } from './ids-of-servers.js'

const ID = 'sub_1MowQVLkdIwHu7ixeRlqHVzs'
const LIST = 'mcp__pay__list_subscriptions'

function shown(text: string, tool = LIST): boolean {
  const ids = createServerIds()
  ids.note(LIST, text)
  return ids.shownBy(tool)?.(ID) ?? false
}

test('an id that a tool showed is known to the tools of its server, and to no others', () => {
  const text = JSON.stringify({ data: [{ id: ID, status: 'active' }] })
  assert.ok(shown(text))
  assert.ok(shown(JSON.stringify({ subscriptionId: ID }), 'mcp__pay__cancel_subscription'))
  assert.ok(!shown(text, 'mcp__mail__send_email'))
  assert.ok(!shown(text, 'send_email'))
})

test('names of keys, and texts that look like a record, show none', () => {
  assert.ok(!shown(JSON.stringify({ access_key_id: ID, client_id: ID, sessionId: ID })))
  assert.ok(!shown(JSON.stringify({ body: `{"id":"${ID}"}` })))
  assert.ok(!shown(JSON.stringify({ note: ID })))
})

test('of many ids the latest are kept', () => {
  const ids = createServerIds()
  ids.note(LIST, JSON.stringify(Array.from({ length: 600 }, (_, i) => ({ id: `sub_${i}_of` }))))
  assert.equal(ids.shownBy(LIST)?.('sub_0_of'), false)
  assert.equal(ids.shownBy(LIST)?.('sub_599_of'), true)
})

test('a run beside the ids that were shown may be encoded', () => {
  const isShown = (value: string): boolean => value === ID
  assert.ok(hasOtherRun(argumentText({ subscription: 'q9ZkT3vLpX8mW2rB7nYcD4hJ' }), isShown))
  assert.ok(hasOtherRun(argumentText({ subscription: ID, note: `${ID} q9ZkT3vLpX8mW2rB7nYcD4hJ` }), isShown))
  assert.ok(!hasOtherRun(argumentText({ subscription: ID, reason: 'asked by the customer' }), isShown))
  assert.ok(hasOtherRun(argumentText({ subscription: ID, note: 'c2VjcmV0IHRleHQgaXMgaGVyZQ==' }), isShown))
})
