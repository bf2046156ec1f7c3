import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byDecisionId, deploy, type Deployment } from '../support/sessions/deployment.js'
import { startRedis, withoutOwnRedis } from '../support/components/own-components.js'
import { kafka } from '../support/components/components.js'
import { wholeSession } from '../support/sessions/events.js'

const TOOLS = ['list_files', 'read_file', 'send_email']

async function publishSessions(deployment: Deployment, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await deployment.publish(wholeSession(`${name}-${i}`, TOOLS, 'sysadmin'))
}

async function untilDecided(deployment: Deployment, sessions: number): Promise<void> {
  await deployment.untilDecided(sessions * TOOLS.length)
  assert.equal(deployment.seen.deadLetters.length, 0)
}

describe('outages of Redis', () => {
  test(
    'Redis down at start and again later: not ready, nothing lost, recovers by itself',
    { skip: withoutOwnRedis || kafka.skip },
    async (t) => {
      const own = await startRedis()
      t.after(() => own.stop())
      const deployment = await deploy('real', { redisUrl: own.url })
      try {
        await own.kill()
        const monitor = deployment.startMonitor()
        await publishSessions(deployment, 'before', 5)
        assert.match((await monitor.notReady()) ?? 'ready', /Redis/)
        await own.restart()
        await monitor.started
        await untilDecided(deployment, 5)
        assert.equal(await monitor.notReady(), undefined)

        await own.kill()
        await publishSessions(deployment, 'during', 5)
        assert.match((await monitor.notReady()) ?? 'ready', /Redis/)
        assert.equal(byDecisionId(deployment.seen.decisions).size, 5 * TOOLS.length)
        await own.restart()
        await untilDecided(deployment, 10)
        assert.equal(await monitor.notReady(), undefined)
      } finally {
        await deployment.close()
      }
    },
  )
})
