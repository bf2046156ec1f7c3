import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EVENT_SCHEMA } from '@plimsoll/contracts'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { findProposals } from './find-proposal.js'

const TOPIC = 'events'
const HOUR_MS = 3_600_000
const step = { callId: 'c1', tool: 'send_email', argumentsDigest: 'a'.repeat(64) }
const proposal = (over: object = {}) => ({
  schema: EVENT_SCHEMA,
  id: 'e1',
  sessionId: 's-1',
  producer: 'p',
  seq: 1,
  time: 0,
  type: 'step.proposed',
  ...step,
  ...over,
})

/** A log whose records are as old as is said, milliseconds. */
async function logWith(records: readonly (readonly [ageMs: number, key: string, value: string])[]) {
  let now = 0
  const log = createEmbeddedLog({ clock: { now: () => now } })
  await log.createTopics([{ topic: TOPIC, partitions: 3 }])
  for (const [ageMs, key, value] of records) {
    now = Date.now() - ageMs
    await log.produce(TOPIC, [{ key, value }])
  }
  now = Date.now()
  return log
}

const found = async (log: Awaited<ReturnType<typeof logWith>>, expiresMs = Date.now() + 900_000) =>
  (await findProposals({ log, topic: TOPIC, sessionId: 's-1', step, expiresMs })).map(({ id }) => id)

describe('the proposal of a step', () => {
  test('is found among other events, other steps and what is no event', async () => {
    const log = await logWith([
      [9_000, 's-1', JSON.stringify(proposal({ id: 'call', callId: 'c2' }))],
      [8_000, 's-1', JSON.stringify(proposal({ id: 'tool', tool: 'other' }))],
      [7_000, 's-1', JSON.stringify(proposal({ id: 'digest', argumentsDigest: 'b'.repeat(64) }))],
      [6_000, 's-1', 'no json'],
      [5_000, 's-1', '[1]'],
      [4_000, 's-1', JSON.stringify(proposal())],
      [3_000, 's-2', JSON.stringify(proposal({ id: 'key' }))],
      [2_000, 's-1', JSON.stringify(proposal({ id: 'session', sessionId: 's-2' }))],
      [1_000, 's-1', JSON.stringify(proposal({ id: 'again' }))],
    ])
    assert.deepEqual(await found(log), ['e1', 'again'])
  })

  test('is looked for as far back as an approval may wait', async () => {
    const log = await logWith([[150 * HOUR_MS, 's-1', JSON.stringify(proposal())]])
    assert.deepEqual(await found(log), ['e1'])
  })

  test('is none where the log has none', async () => {
    assert.deepEqual(await found(await logWith([])), [])
    assert.deepEqual(await found(await logWith([[200 * HOUR_MS, 's-1', JSON.stringify(proposal())]])), [])
  })

  test('wants its topic', async () => {
    const search = { log: createEmbeddedLog(), topic: TOPIC, sessionId: 's-1', step, expiresMs: 0 }
    await assert.rejects(findProposals(search), { code: 'config_invalid' })
  })
})
