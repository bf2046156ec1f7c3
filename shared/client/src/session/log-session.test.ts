import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLabeller } from '@plimsoll/labels'
import { createClient } from '../client.js'
import { createRig, testDocuments } from '../testing/two-modes.js'
import { type Channel, createLogChannel } from '../transport/outbound.js'

/** A client whose decisions can be lost, with a call that says so. */
async function lossy(t: TestContext) {
  const rig = await createRig(t)
  const inner = createLogChannel(rig.log)
  let onLost: (() => void) | undefined
  let reportMissed = () => {}
  const channel: Channel = {
    send: (records) => inner.send(records),
    listen: (onRecord, onMissed) => {
      reportMissed = onMissed
      return inner.listen((record) => (onLost ? onLost() : onRecord(record)), onMissed)
    },
  }
  const { catalogue } = await testDocuments()
  const { clock, timers } = rig.time
  const client = await createClient({ channel, labeller: createLabeller(catalogue), clock, timers })
  t.after(() => client.close())
  return {
    ...rig,
    client,
    /** Loses what comes from now on; resolves with the first. */
    lose: () => ({ first: new Promise<void>((resolve) => (onLost = resolve)) }),
    comeBack: () => {
      onLost = undefined
      reportMissed()
    },
  }
}

const seenTwice = (eventId: string, events: readonly { id: string }[]) =>
  events.filter(({ id }) => id === eventId).length === 2

test('proposes again after a missed decision', async (t) => {
  const { client, loop, lose, comeBack } = await lossy(t)
  const session = await client.startSession()
  const lost = lose()
  const asking = session.propose({ tool: 'read_file' })
  const proposal = await loop.whenEvent(({ type }) => type === 'step.proposed')
  await lost.first
  comeBack()
  const answer = await asking
  assert.deepEqual([answer.verdict, answer.by, answer.decision?.kind], ['allow', 'decision', 'repeat'])
  assert.ok(seenTwice(proposal.id, loop.events))
  assert.deepEqual(loop.faults, [])
})

test('proposes again after a missed approval, as often as needed', async (t) => {
  const { client, loop, lose, comeBack, approve } = await lossy(t)
  const session = await client.startSession()
  const asked = await session.propose({ tool: 'refund', arguments: { amount: 3 } })
  assert.equal(asked.verdict, 'confirm')
  const waiting = session.resolution(asked)
  comeBack()
  await session.propose({ tool: 'read_file' })
  assert.ok(seenTwice(asked.decision?.eventId ?? '', loop.events))
  const lost = lose()
  await approve(asked.decision)
  await lost.first
  comeBack()
  const answer = await waiting
  assert.deepEqual([answer.verdict, answer.mayRun, answer.decision?.kind], ['allow', true, 'repeat'])
  assert.deepEqual(loop.faults, [])
})

test('does not propose answered steps again', async (t) => {
  const { client, loop, comeBack } = await lossy(t)
  const session = await client.startSession()
  await session.propose({ tool: 'read_file' })
  comeBack()
  await session.propose({ tool: 'read_file' })
  assert.equal(loop.events.filter(({ type }) => type === 'step.proposed').length, 2)
})
