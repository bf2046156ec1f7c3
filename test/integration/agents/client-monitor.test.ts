import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient, type ClientSettings, type PlimsollClient } from '@plimsoll/client'
import { eventSchema, PlimsollError, type Decision } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import {
  deploy,
  foldAlone,
  type Deployment,
  type DeploymentKind,
  DEPLOYMENTS,
} from '../../support/sessions/deployment.js'
import { approvalOf } from '../../support/sessions/approvals.js'

const TIMEOUT_MS = 60_000

interface Fixture extends Deployment {
  connect(settings?: ClientSettings, log?: Partial<EventLog>): Promise<PlimsollClient>
}

async function within(kind: DeploymentKind, play: (fixture: Fixture) => Promise<void>): Promise<void> {
  const deployment = await deploy(kind)
  const clients: PlimsollClient[] = []
  const connect: Fixture['connect'] = async (settings = {}, over = {}) => {
    const { log, topics } = deployment
    const client = await createClient({
      log: { ...log, ...over },
      topics,
      timeoutMs: TIMEOUT_MS,
      ...settings,
    })
    clients.push(client)
    return client
  }
  try {
    await play({ ...deployment, connect })
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await deployment.close()
  }
}

/** Compares the client's decisions, by id, with those of the engine alone on the same events. */
function assertAsEngineAlone(fixture: Fixture, decisions: readonly (Decision | undefined)[]): void {
  const alone = foldAlone(fixture).decisions
  for (const decision of decisions) {
    assert.ok(decision)
    assert.deepEqual(decision, JSON.parse(alone.get(decision.id) ?? 'null'))
  }
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`the client and the monitor, ${kind}`, { skip }, () => {
    test('many sessions of several clients run concurrently', async () => {
      await within(kind, async (fixture) => {
        fixture.startMonitor()
        const clients = await Promise.all([fixture.connect(), fixture.connect(), fixture.connect()])
        const play = async (client: PlimsollClient) => {
          const session = await client.startSession({ category: 'research_comms' })
          const read = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
          await session.complete(read)
          const together = await Promise.all([
            session.propose({ tool: 'read_file' }),
            session.propose({ tool: 'send_email', arguments: { to: 'someone@example.org' } }),
            session.propose({ tool: 'send_email', evidence: 'present' }),
          ])
          await session.end('completed')
          return [read, ...together]
        }
        const sessions = await Promise.all(
          Array.from({ length: 60 }, (_, i) => clients[i % 3]).flatMap((client) =>
            client ? [play(client)] : [],
          ),
        )
        for (const [read, other, asked, blocked] of sessions) {
          assert.deepEqual([read?.verdict, other?.mayRun], ['allow', true])
          assert.deepEqual([asked?.verdict, blocked?.verdict], ['confirm', 'block'])
        }
        await fixture.until('all events', () => fixture.seen.events.length === 60 * 7)
        assertAsEngineAlone(
          fixture,
          sessions.flat().map(({ decision }) => decision),
        )
        assert.equal(fixture.seen.deadLetters.length, 0)
      })
    })

    test('a human approves', async () => {
      await within(kind, async (fixture) => {
        fixture.startMonitor()
        const session = await (await fixture.connect()).startSession()
        await session.complete(await session.propose({ tool: 'get_customer' }))
        const asked = await session.propose({ tool: 'send_email', arguments: { to: 'someone@example.org' } })
        assert.equal(asked.verdict, 'confirm')
        assert.ok(asked.decision)
        const waiting = session.resolution(asked, { timeoutMs: TIMEOUT_MS })
        await fixture.publish([approvalOf(asked.decision)])
        const answer = await waiting
        assert.deepEqual([answer.mayRun, answer.decision?.kind], [true, 'approval'])
        await session.complete(answer)
        await session.end('completed')
      })
    })

    test('without a monitor the fail mode answers, and a later monitor gets every event', async () => {
      await within(kind, async (fixture) => {
        const client = await fixture.connect()
        const session = await client.startSession({ id: `${fixture.prefix}one` })
        const wait = { timeoutMs: 20 }
        const read = await session.propose({ tool: 'get_customer', callId: 'read' }, wait)
        const sent = await session.propose({ tool: 'send_email', callId: 'sent' }, wait)
        assert.deepEqual([read.by, sent.by], ['fail_open', 'fail_closed'])
        fixture.startMonitor()
        const next = await session.propose({ tool: 'send_email', evidence: 'present' })
        assert.equal(next.verdict, 'block', 'what was read without a verdict counts')
        assert.deepEqual([next.decision?.risk?.withoutVerdict, next.decision?.risk?.violations], [0, 0])
        assert.equal(client.stats().late, 2)
        assert.equal(fixture.seen.deadLetters.length, 0)
      })
    })

    test('a log that fails before or after a write neither loses nor duplicates events', async () => {
      await within(kind, async (fixture) => {
        fixture.startMonitor()
        let produced = 0
        const produce: EventLog['produce'] = async (topic, records) => {
          const turn = produced++ % 3
          if (turn === 0) throw new PlimsollError('log_unavailable', 'before')
          await fixture.log.produce(topic, records)
          if (turn === 1) throw new PlimsollError('log_unavailable', 'after')
        }
        const client = await fixture.connect({}, { produce })
        const session = await client.startSession()
        const steps: number[] = []
        for (let i = 0; i < 5; i++) {
          const answer = await session.propose({ tool: 'read_file' })
          steps.push(answer.decision?.step ?? 0)
          await session.complete(answer)
        }
        assert.deepEqual(steps, [1, 2, 3, 4, 5])
        await client.close()
        assert.ok(client.stats().retried > 0)
        const reported = () =>
          new Set(fixture.seen.events.map(({ value }) => eventSchema.parse(JSON.parse(String(value))).id))
        await fixture.until('each event at least once', () => reported().size === 11)
        assert.deepEqual([...foldAlone(fixture).faults.values()], [])
      })
    })
  })
