import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { byDecisionId, deploy, type Deployment } from '../support/sessions/deployment.js'
import { startRedis, withoutOwnRedis } from '../support/components/own-components.js'
import { kafka } from '../support/components/components.js'
import { wholeSession } from '../support/sessions/events.js'

const TOOLS = ['list_files', 'read_file', 'send_email']

async function publishSessions(world: Deployment, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await world.publish(wholeSession(`${name}-${i}`, TOOLS, 'sysadmin'))
}

async function untilDecided(world: Deployment, sessions: number): Promise<void> {
  await world.untilDecided(sessions * TOOLS.length)
  assert.equal(world.seen.deadLetters.length, 0)
}

describe('outages of Redis', () => {
  test(
    'Redis away at start and again later: not ready, nothing lost, goes on by itself',
    { skip: withoutOwnRedis || kafka.skip },
    async (t) => {
      const own = await startRedis()
      t.after(() => own.stop())
      const world = await deploy('real', { redisUrl: own.url })
      try {
        await own.kill()
        const monitor = world.startMonitor()
        await publishSessions(world, 'before', 5)
        assert.equal(await monitor.isReady(), false)
        await own.restart()
        await monitor.started
        await untilDecided(world, 5)
        assert.equal(await monitor.isReady(), true)

        await own.kill()
        await publishSessions(world, 'during', 5)
        assert.equal(await monitor.isReady(), false)
        assert.equal(byDecisionId(world.seen.decisions).size, 5 * TOOLS.length)
        await own.restart()
        await untilDecided(world, 10)
        assert.equal(await monitor.isReady(), true)
      } finally {
        await world.close()
      }
    },
  )
})
