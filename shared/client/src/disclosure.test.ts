import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestOf } from '@plimsoll/contracts'
import { createRig } from './testing/rig.js'

const RULES = [{ tools: ['send_*'], arguments: ['to', 'cc'] }]
const MAIL = { to: ['ann@example.com'], body: 'the secret text' }

test('the event tells what is disclosed beside the digest of all arguments, and nothing else of their text', async (t) => {
  const rig = await createRig(t, { settings: { disclose: RULES } })
  const session = await rig.client.startSession()
  await session.propose({ tool: 'send_email', arguments: MAIL })
  const event = rig.loop.events.find(({ type }) => type === 'tool.proposed')
  assert.ok(event?.type === 'tool.proposed')
  assert.deepEqual(event.arguments, { to: ['ann@example.com'], cc: null })
  assert.equal(event.argumentsDigest, digestOf(MAIL))
  assert.doesNotMatch(rig.produced.flat().join(), /secret/)
})
