import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Session } from '@plimsoll/client'
import { eventSchema } from '@plimsoll/contracts'
import { withoutPair } from '../support/components/components.js'
import { withGateway, type GatewayDeployment } from '../support/gateway-world.js'

const IDENTITY_KEY = 'the identity key of this deployment'
const CUSTOMER = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const LEAK = { to: 'press@example.org', body: 'Ann Moor (KX-48217) has account 7730194422.' }

/** A session that has read sensitive data. */
async function reading(deployment: GatewayDeployment): Promise<Session> {
  const client = await deployment.connect('bot')
  const session = await client.startSession({ task: 'find out what she owes' })
  const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
  await session.complete(read, { result: CUSTOMER })
  return session
}

type Attack = readonly [name: string, play: (deployment: GatewayDeployment) => Promise<void>]

const ATTACKS: readonly Attack[] = [
  [
    'one principal cannot go on with the session of another',
    async (deployment) => {
      const { id } = await reading(deployment)
      const rival = await deployment.connect('rival')
      const claimed = await rival.resumeSession({ id })
      const answer = await claimed.propose({ tool: 'read_file' })
      assert.deepEqual([answer.mayRun, answer.verdict], [false, 'block'])
      assert.notEqual(claimed.id, id)
    },
  ],
  [
    'an agent picks neither its category nor milder labels nor its own evidence',
    async (deployment) => {
      const bot = await deployment.connect('bot')
      const session = await bot.startSession({ category: 'social' })
      const read = await session.propose({ tool: 'get_customer' })
      await session.complete(read, { result: CUSTOMER })
      const send = await session.propose({
        tool: 'send_email',
        arguments: LEAK,
        labels: { capability: 'read', reversibility: 'reversible', confidentiality: 'public' },
        evidence: 'absent',
      })
      assert.equal(send.verdict, 'block')
      const start = deployment.seen.events.find(({ key }) => key === session.id)
      const event = eventSchema.parse(JSON.parse(String(start?.value)))
      assert.equal(event.type === 'session.started' && event.category, 'research_comms')
    },
  ],
  [
    'an agent that tells another text than it read: what it then sends is not known to carry nothing',
    async (deployment) => {
      const bot = await deployment.connect('bot')
      const session = await bot.startSession({ task: 'write to press@example.org' })
      const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
      await session.complete(read, { result: 'Case AA-11111: Bob Nobody, account 1112223334.' })
      const send = await session.propose({ tool: 'send_email', arguments: LEAK })
      assert.deepEqual([send.mayRun, send.decision?.risk?.evidence], [false, 'unknown'])
    },
  ],
  [
    'a session that is split in two is one: what the first read the second may not send',
    async (deployment) => {
      const first = await reading(deployment)
      const again = await deployment.connect('bot')
      const second = await again.startSession({ task: 'write to press@example.org' })
      const send = await second.propose({ tool: 'send_email', arguments: LEAK })
      await first.end()
      const third = await again.startSession({ user: 'somebody else' })
      const sent = await third.propose({ tool: 'send_email', arguments: LEAK })
      // A session knows that another root read sensitive values, not which: a human is asked.
      for (const { mayRun, verdict, decision } of [send, sent])
        assert.deepEqual([mayRun, verdict, decision?.risk?.exposure], [false, 'confirm', 'sensitive'])
    },
  ],
]

describe('attacks through a claimed identity', { skip: withoutPair }, () => {
  test('over a gateway whose monitors require identities', async (t) => {
    await withGateway(
      'real',
      async (deployment) => {
        deployment.startMonitor({ identity: { keys: [IDENTITY_KEY], isRequired: true } })
        for (const [name, play] of ATTACKS) await t.test(name, () => play(deployment))
      },
      { client: { identityKey: IDENTITY_KEY } },
    )
  })
})
