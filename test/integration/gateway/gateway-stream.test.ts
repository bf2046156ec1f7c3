import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { eventSchema, PROOF_HEADER, readToken, type Event } from '@plimsoll/contracts'
import { approvalOf } from '../../support/sessions/approvals.js'
import { DEPLOYMENTS, type Deployment } from '../../support/sessions/deployment.js'
import { FINGERPRINT_KEY, withGateway } from '../../support/gateway-world.js'

const eventsOf = ({ seen }: Deployment): Event[] =>
  seen.events.map(({ value }) => eventSchema.parse(JSON.parse(String(value))))

const TEXT = 'Case KX-48217: Ann Moor, account 7730194422, owes 1,240.'
const MAIL = { to: 'press@example.org', body: 'Ann Moor (KX-48217) has account 7730194422.' }
const IDENTITY_KEY = 'the identity key of this deployment'

for (const [kind, skip] of DEPLOYMENTS)
  describe(`streams of the gateway, ${kind}`, { skip }, () => {
    test('hosts and agents get verdicts based on the texts that the gateway saw', async () => {
      await withGateway(kind, async (deployment) => {
        deployment.startMonitor()
        for (const name of ['desk', 'bot'] as const) {
          const client = await deployment.connect(name)
          const session = await client.startSession({
            category: 'research_comms',
            task: 'find out what she owes',
          })
          const read = await session.propose({ tool: 'read_email', arguments: { id: 7 } })
          assert.equal(read.verdict, 'allow')
          await session.complete(read, { result: TEXT })
          const send = await session.propose({ tool: 'send_email', arguments: MAIL })
          assert.deepEqual([send.verdict, send.by], ['block', 'decision'])
          assert.equal(send.decision?.risk?.evidence, 'present')
          await session.end('completed')
        }
        await deployment.until('all events', () => deployment.seen.events.length === 10)
        assert.doesNotMatch(JSON.stringify(eventsOf(deployment)), /KX-48217|press@|what she owes/)
        assert.deepEqual(deployment.seen.deadLetters, [])
        assert.ok(eventsOf(deployment).every(({ sessionId }) => /^(default~desk|acme~bot):/.test(sessionId)))
      })
    })

    test('the next gateway answers steps left open by a stopped one, and applies approvals given meanwhile', async () => {
      await withGateway(kind, async (deployment) => {
        deployment.startMonitor()
        const client = await deployment.connect('desk')
        const session = await client.startSession({ category: 'research_comms' })
        await session.complete(await session.propose({ tool: 'read_email' }), {
          labels: { confidentiality: 'sensitive' },
        })
        const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
        assert.equal(asked.verdict, 'confirm')
        assert.ok(asked.decision)
        const waiting = session.resolution(asked)
        await deployment.gateway.close()
        const proposing = session.propose({ tool: 'read_file' })
        await deployment.publish([approvalOf(asked.decision)])
        await deployment.startGateway({ port: Number(new URL(deployment.gateway.url).port) })
        const [answer, read] = await Promise.all([waiting, proposing])
        assert.deepEqual(
          [answer.mayRun, answer.by, read.verdict, read.by],
          [true, 'decision', 'allow', 'decision'],
        )
        await session.complete(answer)
        await session.end()
        // While a gateway can still take the end of the session.
        await client.close()
        assert.equal(client.stats().failedClosed + client.stats().failedOpen, 0)
      })
    })

    test('sessions carry the tokens and proofs of the gateway that monitors can require', async () => {
      const client = { identityKey: IDENTITY_KEY }
      await withGateway(
        kind,
        async (deployment) => {
          deployment.startMonitor({ identity: { keys: [IDENTITY_KEY], isRequired: true } })
          const bot = await deployment.connect('bot')
          const session = await bot.startSession({ category: 'social', agent: 'bob', user: 'Cy' })
          assert.equal((await session.propose({ tool: 'read_file' })).by, 'decision')
          const [start] = eventsOf(deployment)
          assert.equal(start?.type, 'session.started')
          const claims = readToken(start.type === 'session.started' ? (start.identity ?? '') : '', [
            IDENTITY_KEY,
          ])
          assert.deepEqual(
            [claims?.sub, claims?.sid, claims?.tenant, claims?.cat, claims?.agt, claims?.usr],
            ['bot', session.id, 'acme', 'research_comms', 'bob', 'Cy'],
          )
          assert.ok(deployment.seen.events.every(({ headers }) => headers[PROOF_HEADER] !== undefined))
          assert.deepEqual(deployment.seen.deadLetters, [])
        },
        { client },
      )
    })
  })

test('a redacting client over the gateway reports the same as a client on the log', async () => {
  await withGateway('embedded', async (deployment) => {
    deployment.startMonitor()
    const { log, topics } = deployment
    const settings = { fingerprintKey: FINGERPRINT_KEY }
    const id = 'default~desk:alike'
    const clients = [
      () => deployment.connect('desk'),
      () => deployment.connect('desk', { redact: true, ...settings }),
      () => deployment.connect('desk', settings),
      () => createClient({ log, topics, ...settings }),
    ]
    const reported: unknown[] = []
    for (const connect of clients) {
      const client = await connect()
      const session = await client.startSession({
        id: `${id}-${reported.length}`,
        task: 'write to press@example.org',
      })
      const read = await session.propose({ tool: 'read_email', arguments: { id: 7 } })
      await session.complete(read, { result: TEXT })
      await session.end()
      await client.close()
      await deployment.until('its events', () => deployment.seen.events.length === 4 * (reported.length + 1))
      reported.push(
        eventsOf(deployment)
          .slice(-4)
          .map(({ type }) => type),
      )
    }
    assert.deepEqual(reported.slice(1), reported.slice(0, -1))
    const seen = eventsOf(deployment).map((event) => ({
      labels: 'labels' in event ? event.labels : undefined,
      signals: 'signals' in event ? event.signals : undefined,
      many: 'fingerprints' in event ? event.fingerprints?.length : undefined,
    }))
    for (const each of [1, 2, 3]) assert.deepEqual(seen.slice(4 * each, 4 * each + 4), seen.slice(0, 4))
  })
})

describe('what each principal may send', () => {
  test('a principal neither receives from nor sends to another’s sessions', async () => {
    await withGateway('embedded', async (deployment) => {
      deployment.startMonitor()
      const [bot, rival] = [await deployment.connect('bot'), await deployment.connect('rival')]
      const mine = await bot.startSession({ id: 'run-7' })
      const theirs = await rival.startSession({ id: mine.id })
      assert.deepEqual([mine.id, theirs.id], ['acme~bot:run-7', 'acme~rival:acme~bot:run-7'])
      await mine.propose({ tool: 'read_file' })
      await theirs.propose({ tool: 'read_file' })
      assert.equal(rival.stats().decided, 1)
      assert.equal(bot.stats().decided, 1)
    })
  })

  test('an agent’s own labels and texts are not trusted', async () => {
    await withGateway('embedded', async (deployment) => {
      deployment.startMonitor()
      const client = await deployment.connect('bot', { redact: true, fingerprintKey: FINGERPRINT_KEY })
      const session = await client.startSession({ category: 'leisure', task: `write of ${TEXT}` })
      const read = await session.propose({ tool: 'read_email' })
      await session.complete(read, { result: 'nothing', labels: { confidentiality: 'sensitive' } })
      const labels = { capability: 'read', reversibility: 'reversible', confidentiality: 'public' } as const
      const mail = { tool: 'send_email', arguments: MAIL, evidence: 'absent', labels } as const
      const send = await session.propose(mail)
      assert.deepEqual([send.verdict, send.mayRun], ['confirm', false])
      const [start, , , proposal] = eventsOf(deployment)
      assert.ok(start?.type === 'session.started' && proposal?.type === 'step.proposed')
      assert.deepEqual(
        [start.category, start.fingerprints, start.found],
        ['research_comms', undefined, undefined],
      )
      assert.deepEqual(
        [proposal.evidence, proposal.fingerprints, proposal.signals],
        [undefined, undefined, undefined],
      )
      assert.equal(proposal.labels?.reversibility, 'irreversible')
    })
  })

  test('the gateway rejects connections without a known credential', async () => {
    await withGateway('embedded', async (deployment) => {
      await assert.rejects(deployment.connect('bot', { credential: 'guessed' }), { code: 'unauthenticated' })
      await assert.rejects(deployment.connect('bot', { url: 'http://127.0.0.1:1' }), {
        code: 'gateway_unavailable',
      })
    })
  })
})
