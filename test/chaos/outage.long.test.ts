import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deploy, type Deployment } from '../support/sessions/deployment.js'
import { startKafka, withoutOwnKafka } from '../support/components/own-components.js'
import { redis } from '../support/components/components.js'
import { wholeSession } from '../support/sessions/events.js'
import { waitUntil } from '../support/wait-until.js'

const TOOLS = ['list_files', 'read_file', 'send_email']

async function publishSessions(deployment: Deployment, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await deployment.publish(wholeSession(`${name}-${i}`, TOOLS, 'sysadmin'))
}

async function untilDecided(deployment: Deployment, sessions: number): Promise<void> {
  await deployment.untilDecided(sessions * TOOLS.length)
  assert.equal(deployment.seen.deadLetters.length, 0)
}

describe('outages of Kafka', () => {
  test(
    'Kafka down at start and again later: not ready, nothing lost, recovers by itself',
    { skip: withoutOwnKafka || redis.skip },
    async (t) => {
      const own = await startKafka()
      t.after(() => own.stop())
      const deployment = await deploy('real', { brokers: own.brokers })
      try {
        await own.kill()
        const monitor = deployment.startMonitor({ limits: { sessionTimeoutMs: 6_000 } })
        assert.match((await monitor.notReady()) ?? 'ready', /Kafka|cannot start|group/)
        await own.restart()
        await monitor.started
        await publishSessions(deployment, 'before', 5)
        await untilDecided(deployment, 5)

        await own.kill()
        await waitUntil('the monitor to notice', async () => (await monitor.notReady()) !== undefined, {
          timeoutMs: 60_000,
        })
        await own.restart()
        await publishSessions(deployment, 'after', 5)
        await untilDecided(deployment, 10)
        await waitUntil('readiness', async () => (await monitor.notReady()) === undefined, {
          timeoutMs: 60_000,
        })
      } finally {
        await deployment.close()
      }
    },
  )
})
