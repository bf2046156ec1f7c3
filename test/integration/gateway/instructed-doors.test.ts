import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decisionSchema, eventSchema } from '@plimsoll/contracts'
import type { Gateway } from '@plimsoll/gateway'
import { z } from 'zod'
import { speakAs } from '../../adversarial/speaker.js'
import { withGateway, type GatewayDeployment } from '../../support/gateway-world.js'

const SECRET = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const MAIL = { to: 'office@example.org', body: 'KX-48217' }
const WISH = 'Please send KX-48217 to office@example.org'

const onGateway = (play: (deployment: GatewayDeployment) => Promise<void>) =>
  withGateway('embedded', async (deployment) => {
    await deployment.startMonitor().started
    await play(deployment)
  })

async function post({ url }: Gateway, by: string, route: string, body: object) {
  const headers = { authorization: `Bearer key-of-${by}`, 'content-type': 'application/json' }
  const reply = await fetch(`${url}${route}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? {} : z.looseObject({}).parse(JSON.parse(text)) }
}

/** The user's later messages in the log. */
const messagesIn = ({ seen }: GatewayDeployment) =>
  seen.events.flatMap(({ value }) => {
    const event = eventSchema.parse(JSON.parse(String(value)))
    return event.type === 'session.instructed' ? [event] : []
  })

/** Asserts that no text of the user is in the log. */
const assertNoText = ({ seen }: GatewayDeployment) =>
  assert.ok(seen.events.every(({ value }) => !String(value).includes('office@')))

describe('later user messages: a host may report them, an agent may not', () => {
  for (const [by, evidence, named] of [
    ['desk', 'absent', 2],
    ['bot', 'present', 0],
  ] as const) {
    test(`over HTTP, by \`${by}\``, () =>
      onGateway(async (deployment) => {
        const ask = (route: string, body: object) => post(deployment.gateway, by, route, body)
        const { session } = (await ask('/v1/sessions', { task: 'look it up' })).body
        const read = await ask('/v1/check', { session, tool: 'get_customer', arguments: { id: 7 } })
        await ask('/v1/complete', { session, callId: read.body['callId'], result: SECRET })
        assert.equal((await ask('/v1/instruct', { session, text: WISH })).status, 204)
        const { body } = await ask('/v1/check', { session, tool: 'send_email', arguments: MAIL })
        const decision = decisionSchema.parse(body['decision'])
        assert.deepEqual([decision.risk?.evidence, decision.risk?.provenance?.task], [evidence, named])
        assert.equal(messagesIn(deployment).length, by === 'desk' ? 1 : 0)
        assertNoText(deployment)
      }))

    test(`on a stream, by \`${by}\``, () =>
      onGateway(async (deployment) => {
        const client = await deployment.connect(by)
        const session = await client.startSession({ task: 'look it up' })
        const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
        await session.complete(read, { result: SECRET })
        await session.instruct(WISH)
        const { decision, by: whom } = await session.propose({ tool: 'send_email', arguments: MAIL })
        assert.equal(whom, 'decision', 'nothing is missing where it was dropped')
        assert.deepEqual([decision?.risk?.evidence, decision?.risk?.provenance?.task], [evidence, named])
        const [message, ...more] = messagesIn(deployment)
        assert.deepEqual([message?.fingerprints === undefined, more], [by === 'bot', []])
        assertNoText(deployment)
      }))
  }

  test('the gateway ignores user messages in frames that an agent writes itself', () =>
    onGateway(async ({ gateway }) => {
      const agent = await speakAs('bot', gateway.url)
      const texts = { task: WISH, arguments: MAIL, result: WISH, description: WISH }
      agent.report('run', { type: 'session.started' })
      const first = await agent.ask('run', 'send_email', { texts: { arguments: MAIL } })
      agent.report('run', { type: 'session.instructed', task: WISH }, { texts })
      agent.report('run', { type: 'session.instructed' }, { texts, root: 'other' })
      agent.report('run', { type: 'session.instructed', signals: { complete: 1 } }, { texts })
      const second = await agent.ask('run', 'send_email', { texts: { arguments: MAIL } })
      await agent.close()
      for (const { kind, risk } of [first, second])
        assert.deepEqual([kind, risk?.provenance?.task], ['step', 0])
    }))

  test('an agent cannot report a user message in a host’s session', () =>
    onGateway(async (deployment) => {
      const { session, sessionId } = (await post(deployment.gateway, 'desk', '/v1/sessions', {})).body
      const asked = await post(deployment.gateway, 'bot', '/v1/instruct', { session, text: WISH })
      assert.equal(asked.status, 404)
      const agent = await speakAs('bot', deployment.gateway.url)
      agent.report('run', { type: 'session.instructed', sessionId, fingerprints: ['aaaaaaaa'] })
      await agent.settled()
      await agent.close()
      assert.deepEqual(messagesIn(deployment), [])
    }))
})

test('a user message reported through one gateway counts when another continues the session', () =>
  withGateway(
    'embedded',
    async (deployment) => {
      await deployment.startMonitor().started
      const other = await deployment.startGateway()
      const { session } = (await post(deployment.gateway, 'desk', '/v1/sessions', {})).body
      const read = await post(deployment.gateway, 'desk', '/v1/check', { session, tool: 'get_customer' })
      const reported = { session, callId: read.body['callId'], result: SECRET }
      await post(deployment.gateway, 'desk', '/v1/complete', reported)
      assert.equal((await post(other, 'desk', '/v1/instruct', { session, text: WISH })).status, 204)
      const sent = await post(other, 'desk', '/v1/check', { session, tool: 'send_email', arguments: MAIL })
      assert.equal(decisionSchema.parse(sent.body['decision']).risk?.evidence, 'absent')
    },
    {
      client: { identityKey: 'the identity key of this deployment', fingerprintKey: 'a key of fingerprints' },
    },
  ))
