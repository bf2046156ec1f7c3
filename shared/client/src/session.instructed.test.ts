import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type EventOf, EVENT_TEXTS_CHARS_MAX } from '@plimsoll/contracts'
import { createClient } from './client.js'
import { createGuard } from './guard.js'
import type { PlimsollClient, Session } from './session.js'
import {
  type ManualTime,
  createManualTime,
  createRig,
  passUntil,
  testDocuments,
} from './testing/two-modes.js'
import type { Channel, ChannelRecord } from './transport/outbound.js'

const KEY = 'a key of fingerprints for tests'
const FILE = { name: 'Ada Example', iban: 'DE89370400440532013000', contract: 'KX-20931-B' }
const CONTRACT = { to: 'office@example.org', body: 'Contract KX-20931-B' }
const WISH = 'Yes, send contract KX-20931-B to office@example.org'

interface World {
  readonly client: PlimsollClient
  readonly time: ManualTime
}
type TestContext = Parameters<typeof createRig>[0]

async function libraryWorld(test: TestContext): Promise<World> {
  const time = createManualTime()
  const { clock, timers } = time
  const client = await createGuard({ documents: await testDocuments(), fingerprintKey: KEY, clock, timers })
  test.after(() => client.close())
  return { client, time }
}

async function logWorld(test: TestContext): Promise<World> {
  const { catalogue } = await testDocuments()
  return createRig(test, { settings: { catalogue, fingerprintKey: KEY } })
}

async function reading(client: PlimsollClient, options: Parameters<PlimsollClient['startSession']>[0] = {}) {
  const session = await client.startSession({ task: 'Look customer 7 up', ...options })
  const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
  await session.complete(read, { result: FILE })
  return session
}

const evidenceOf = async (session: Session): Promise<string | undefined> =>
  (await session.propose({ tool: 'send_email', arguments: CONTRACT })).decision?.risk?.evidence

for (const [mode, worldOf] of [
  ['library', libraryWorld],
  ['log', logWorld],
] as const)
  describe(`instructions, ${mode} mode`, () => {
    test('count from the next proposal on, awaited or not', async (t) => {
      const { client, time } = await worldOf(t)
      const unreported = await passUntil(time, reading(client))
      assert.equal(await passUntil(time, evidenceOf(unreported)), 'present')
      for (const isAwaited of [true, false]) {
        const session = await passUntil(time, reading(client))
        const instructed = session.instruct(WISH)
        if (isAwaited) await instructed
        assert.equal(await passUntil(time, evidenceOf(session)), 'absent')
      }
    })

    test('count for sessions delegated later; in a delegated session, not for values read', async (t) => {
      const { client, time } = await worldOf(t)
      const parent = await passUntil(time, reading(client))
      const before = await client.startSession({ parent })
      await before.instruct(WISH)
      assert.equal(await passUntil(time, evidenceOf(before)), 'present')
      assert.deepEqual(before.handover().task, parent.handover().task, 'nor does it vouch for those after it')
      await parent.instruct(WISH)
      const after = await client.startSession({ parent: parent.handover() })
      assert.equal(await passUntil(time, evidenceOf(after)), 'absent')
    })

    test('are refused after the session, or if no event can hold them', async (t) => {
      const { client } = await worldOf(t)
      const session = await client.startSession({ sendTask: true })
      await assert.rejects(session.instruct('x'.repeat(8193)), { code: 'schema_invalid' })
      await session.instruct('x'.repeat(8192))
      await session.end()
      await assert.rejects(session.instruct(WISH), { code: 'session_ended' })
      await client.close()
      await assert.rejects(session.instruct(WISH))
    })
  })

test("a handover names at most an event's cap, the latest first", async (t) => {
  const { client } = await libraryWorld(t)
  const session = await client.startSession({ task: 'Look customer 7 up' })
  for (let i = 0; i < 40; i++)
    await session.instruct(Array.from({ length: 10 }, (_, j) => `KX-${10_000 + 100 * i + j}`).join(', '))
  await session.instruct(WISH)
  assert.equal(session.handover().task?.length, 128)
  const other = await client.startSession()
  await other.instruct(WISH)
  const wished = other.handover().task ?? []
  assert.ok(wished.length > 0, 'a session that began without a task has one now')
})

test("over the log, an instruction's text is sent like the task's, otherwise only fingerprints", async (t) => {
  const { client, produced, loop } = await createRig(t, { settings: { fingerprintKey: KEY } })
  const quiet = await client.startSession({ id: 'quiet' })
  await quiet.instruct(WISH)
  const open = await client.startSession({ id: 'open', sendTask: true })
  await open.instruct(WISH)
  await open.propose({ tool: 'read_file' })
  await quiet.propose({ tool: 'read_file' })
  const messages = produced
    .flat()
    .map((value): EventOf<'session.instructed'> => JSON.parse(value))
    .filter(({ type }) => type === 'session.instructed')
  assert.deepEqual(
    messages.map(({ sessionId, seq, task }) => [sessionId, seq, task]),
    [
      ['quiet', 1, undefined],
      ['open', 1, WISH],
    ],
  )
  assert.ok(messages.every(({ fingerprints }) => (fingerprints?.length ?? 0) > 0))
  assert.deepEqual(loop.faults, [])
})

test('an instruction that is sent twice counts once', async (t) => {
  let lost = 0
  const rig = await createRig(t, {
    settings: { catalogue: (await testDocuments()).catalogue, fingerprintKey: KEY },
    produce: async (records, next) => {
      await next()
      // It has arrived, and its sender does not know.
      if (records.some(({ value }) => String(value).includes('session.instructed')) && lost++ < 2)
        throw new Error('the answer is lost')
    },
  })
  const session = await passUntil(rig.time, reading(rig.client))
  await session.instruct(WISH)
  assert.equal(await passUntil(rig.time, evidenceOf(session)), 'absent')
  assert.ok(lost >= 2 && rig.client.stats().retried >= 2)
  assert.deepEqual(rig.loop.faults, [])
})

test('a lost instruction leaves a gap, which the client fills', async (t) => {
  let isDropped = false
  const rig = await createRig(t, {
    settings: { catalogue: (await testDocuments()).catalogue, fingerprintKey: KEY },
    isLost: ({ type }) => type === 'session.instructed' && !isDropped && (isDropped = true),
  })
  const session = await passUntil(rig.time, reading(rig.client))
  await session.instruct(WISH)
  assert.equal(await passUntil(rig.time, evidenceOf(session)), 'absent')
  assert.ok(isDropped && rig.client.stats().resent > 0)
})

const deafChannel = (sent: ChannelRecord[], takesTexts: boolean | undefined): Channel => ({
  ...(takesTexts !== undefined && { takesTexts }),
  send: async (records) => void sent.push(...records),
  listen: async () => ({ close: async () => {} }),
})

test('sends the text beside the event only to a gateway that takes texts', async () => {
  for (const takesTexts of [true, false, undefined]) {
    const sent: ChannelRecord[] = []
    const client = await createClient({ channel: deafChannel(sent, takesTexts), mode: 'observe' })
    const session = await client.startSession()
    await session.instruct(WISH)
    await session.instruct('y'.repeat(2 * EVENT_TEXTS_CHARS_MAX))
    await client.close()
    const [, first, long] = sent
    assert.equal(first?.texts, takesTexts === true ? JSON.stringify({ task: WISH }) : undefined)
    assert.ok((long?.texts?.length ?? 0) <= EVENT_TEXTS_CHARS_MAX)
    assert.ok(sent.every(({ value }) => !String(value).includes('office@')))
  }
})

test('a full queue refuses an instruction without using a number', async (t) => {
  const limits = { queueEventsMax: 2 }
  let isOpen = false
  const rig = await createRig(t, {
    settings: { fingerprintKey: KEY, limits },
    produce: async (_records, next) => (isOpen ? next() : Promise.reject(new Error('not yet'))),
  })
  const session = await rig.client.startSession()
  await session.instruct(WISH)
  await assert.rejects(session.instruct(WISH), { code: 'queue_full' })
  isOpen = true
  await passUntil(rig.time, rig.client.close())
  assert.deepEqual(rig.loop.faults, [])
})
