import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PlimsollClient } from '@plimsoll/client'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import { createMemoryLineages } from '@plimsoll/gateway'
import { untaskedDocuments } from '../../support/sessions/deployment.js'
import { withGateway, type GatewayDeployment } from '../../support/gateway-world.js'

const TEXT = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const HARMLESS = { to: 'press@example.org', body: 'Have a good day' }

async function withLineages(play: (deployment: GatewayDeployment) => Promise<void>): Promise<void> {
  const lineages = createEmbeddedLineages()
  await withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor({ documents: [await untaskedDocuments()] }).started
      await play(deployment)
    },
    { lineages },
  )
  await lineages.close()
}

async function sends(client: PlimsollClient, id?: string): Promise<boolean> {
  const session = await client.startSession(id === undefined ? {} : { id })
  return (await session.propose({ tool: 'send_email', arguments: HARMLESS })).mayRun
}

async function reads(client: PlimsollClient): Promise<void> {
  const session = await client.startSession()
  const read = await session.propose({ tool: 'read_email', arguments: { id: 7 } })
  assert.equal(read.mayRun, true)
  await session.complete(read, { result: TEXT, labels: { confidentiality: 'sensitive' } })
  await session.end()
}

test('an agent that restarts over the same or another stream keeps its inherited state', () =>
  withLineages(async (deployment) => {
    const first = await deployment.connect('bot')
    const before = await first.startSession()
    assert.equal((await before.propose({ tool: 'send_email', arguments: HARMLESS })).mayRun, true)
    await reads(first)
    const mail = await before.propose({ tool: 'send_email', arguments: HARMLESS })
    assert.deepEqual([mail.mayRun, mail.decision?.risk?.exposure], [false, 'sensitive'])
    assert.equal(await sends(first), false)
    const other = await deployment.connect('bot', { url: (await deployment.startGateway()).url })
    assert.equal(await sends(other), false)
    // Without shared lineages, anything read before a gateway started counts as the worst.
    const alone = await deployment.connect('rival', {
      url: (await deployment.startGateway({ lineages: createMemoryLineages() })).url,
    })
    assert.equal(await sends(alone), false)
    const same = await deployment.connect('bot')
    assert.equal(await sends(same), false)
    assert.deepEqual(deployment.seen.deadLetters, [])
  }))

test('inherited state of one agent affects neither another agent nor the sessions of a host', () =>
  withLineages(async (deployment) => {
    await reads(await deployment.connect('bot'))
    assert.equal(await sends(await deployment.connect('rival')), true)
    const host = await deployment.connect('desk')
    await reads(host)
    assert.equal(await sends(host), true)
  }))
