import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENT_TEXTS_CHARS_MAX, topicsOf } from '@plimsoll/contracts'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createClient } from '../client.js'
import { type Channel, type ChannelRecord, createLogChannel } from './outbound.js'

async function sentThrough(takesTexts: boolean): Promise<readonly ChannelRecord[]> {
  const log = createEmbeddedLog()
  await log.createTopics(Object.values(topicsOf()).map((topic) => ({ topic, partitions: 1 })))
  const inner = createLogChannel(log)
  const sent: ChannelRecord[] = []
  const channel: Channel = {
    ...inner,
    takesTexts,
    send: (records) => {
      sent.push(...records)
      return inner.send(records)
    },
  }
  const client = await createClient({ channel, mode: 'observe' })
  const session = await client.startSession({ task: 'write to Ann' })
  const step = { tool: 'send_email', description: 'sends', arguments: { to: 'ann@example.com' } }
  const asked = await session.propose(step)
  await session.complete(asked, { result: { id: 7 } })
  await session.end()
  await client.close()
  await log.close()
  return sent
}

test('sends texts beside their events if the channel takes them', async () => {
  const texts = (await sentThrough(true)).map(
    (record) => record.texts && (JSON.parse(record.texts) as unknown),
  )
  assert.deepEqual(texts, [
    { task: 'write to Ann' },
    { arguments: { to: 'ann@example.com' }, description: 'sends' },
    { result: 'id: 7\n' },
    undefined,
  ])
})

test('sends no text if the channel does not take it', async () => {
  const records = await sentThrough(false)
  assert.ok(records.every(({ texts }) => texts === undefined))
  assert.doesNotMatch(JSON.stringify(records), /ann@example|write to Ann/)
})

test('refuses arguments too long to be examined', async () => {
  const channel: Channel = {
    takesTexts: true,
    send: async () => {},
    listen: async () => ({ close: async () => {} }),
  }
  const client = await createClient({ channel })
  const session = await client.startSession()
  const body = 'x'.repeat(EVENT_TEXTS_CHARS_MAX)
  await assert.rejects(session.propose({ tool: 'send_email', arguments: { body } }), {
    code: 'event_oversize',
  })
  await client.close()
})
