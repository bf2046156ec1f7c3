import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { otherDatabase, withoutPair } from '../../support/components/components.js'
import { runCli } from '../cli-process.js'
import { onControlDeployment } from './control-world.js'

describe('`rebuild` on Kafka and Redis', { skip: withoutPair }, () => {
  test('refuses while a monitor runs; then rebuilds the sessions, and they continue', () =>
    onControlDeployment(async ({ log, topics, monitorEnv, startMonitor, plimsoll }) => {
      const monitor = await startMonitor()
      const client = await createClient({ log, topics, timeoutMs: 60_000 })
      const sessions = await Promise.all(Array.from({ length: 8 }, () => client.startSession()))
      const ask = async (tool: string) => {
        for (const session of sessions) {
          const answer = await session.propose({ tool })
          assert.equal(answer.verdict, 'allow')
          await session.complete(answer)
        }
      }
      await ask('read_file')
      assert.equal((await plimsoll('control', 'mode', 'observe', '--tenant', 'acme')).code, 0)
      // Another database stands for an emptied store.
      const env = { ...monitorEnv, REDIS_URL: otherDatabase }
      const refused = await runCli(['rebuild'], { env })
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /usage_invalid: monitors run in group `.*` \(1\): .*end them all first/)
      monitor.signal('SIGTERM')
      assert.equal((await monitor.ended).code, 0)

      const { code, stdout, stderr } = await runCli(['rebuild', '--json'], { env })
      assert.equal(code, 0, stderr)
      const rows = JSON.parse(stdout) as { why: string; sessions: number; lost: number }[]
      assert.ok(rows.every(({ why, lost }) => why === 'flushed' && lost === 0))
      assert.equal(
        rows.reduce((sum, row) => sum + row.sessions, 0),
        sessions.length,
      )
      await startMonitor(env)
      await ask('read_file')
      await client.close()
    }))
})
