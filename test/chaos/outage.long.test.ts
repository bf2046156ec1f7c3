import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deploy, type Deployment } from '../support/sessions/deployment.js'
import { startKafka, withoutOwnKafka } from '../support/components/own-components.js'
import { redis } from '../support/components/components.js'
import { wholeSession } from '../support/sessions/events.js'
import { waitUntil } from '../support/wait-until.js'

const TOOLS = ['list_files', 'read_file', 'send_email']

async function publishSessions(world: Deployment, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await world.publish(wholeSession(`${name}-${i}`, TOOLS, 'sysadmin'))
}

async function untilDecided(world: Deployment, sessions: number): Promise<void> {
  await world.untilDecided(sessions * TOOLS.length)
  assert.equal(world.seen.deadLetters.length, 0)
}

describe('outages of Kafka', () => {
  test(
    'Kafka away at start and again later: not ready, nothing lost, goes on by itself',
    { skip: withoutOwnKafka || redis.skip },
    async (t) => {
      const own = await startKafka()
      t.after(() => own.stop())
      const world = await deploy('real', { brokers: own.brokers })
      try {
        await own.kill()
        const monitor = world.startMonitor({ limits: { sessionTimeoutMs: 6_000 } })
        assert.equal(await monitor.isReady(), false)
        await own.restart()
        await monitor.started
        await publishSessions(world, 'before', 5)
        await untilDecided(world, 5)

        await own.kill()
        await waitUntil('the monitor to notice', async () => !(await monitor.isReady()), {
          timeoutMs: 60_000,
        })
        await own.restart()
        await publishSessions(world, 'after', 5)
        await untilDecided(world, 10)
        await waitUntil('readiness', () => monitor.isReady(), { timeoutMs: 60_000 })
      } finally {
        await world.close()
      }
    },
  )
})
