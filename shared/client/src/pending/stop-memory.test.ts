import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@plimsoll/contracts'
import type { ProposedStep } from '../session.js'
import { createRig } from '../testing/two-modes.js'

const READ = { tool: 'read_file', arguments: { path: '/srv/contracts.txt' } }
const OTHER = { tool: 'read_file', arguments: { path: '/srv/readme.txt' } }
const STOP = { by: 'ada', reason: 'a drill' }

/** A rig whose monitor falls silent when a test says so. */
async function createRigThatFallsSilent(t: Parameters<typeof createRig>[0], stop?: typeof STOP) {
  let isSilent = false
  const rig = await createRig(t, {
    settings: { failModes: { network: 'open' } },
    isLost: (event: Event) => isSilent && event.type === 'step.proposed',
    facts: () => ({ mode: 'enforce', ...(stop && !isSilent && { stop }) }),
  })
  const session = await rig.client.startSession({ id: 'one' })
  const withoutVerdict = async (step: ProposedStep, of = session) => {
    isSilent = true
    const answer = of.propose(step)
    rig.time.pass(2_000)
    return (await answer).by
  }
  return { ...rig, session, withoutVerdict }
}

test('a blocked step fails closed although its fail mode is open', async (t) => {
  const { session, withoutVerdict } = await createRigThatFallsSilent(t)
  const read = await session.propose({ ...READ, labels: { confidentiality: 'credentials' } })
  await session.complete(read, { labels: { confidentiality: 'credentials' } })
  const mail = { tool: 'send_email', arguments: { path: 'a', to: 'ada@example.org' } }
  const blocked = await session.propose({ ...mail, evidence: 'present' })
  assert.deepEqual([blocked.verdict, blocked.by], ['block', 'decision'])
  assert.equal(
    await withoutVerdict({ ...mail, arguments: { ...mail.arguments, to: 'bob@example.org' } }),
    'fail_open',
  )
  assert.equal(await withoutVerdict(mail), 'fail_closed')
})

test('after a stop, no session of the tenant runs steps without a verdict', async (t) => {
  const { session, client, withoutVerdict } = await createRigThatFallsSilent(t, STOP)
  const other = await client.startSession({ id: 'two' })
  assert.equal((await session.propose(READ)).mayRun, false)
  assert.equal(await withoutVerdict(OTHER, other), 'fail_closed')
})

test('a resumed session fails closed', async (t) => {
  const { client, withoutVerdict } = await createRigThatFallsSilent(t)
  assert.equal(await withoutVerdict(READ, await client.resumeSession({ id: 'elsewhere' })), 'fail_closed')
})
