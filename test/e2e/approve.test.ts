import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createClient } from '@plimsoll/client'
import { kafka, redis, withoutPair } from '../support/components.js'
import { deploy, SIGNING_KEY, type Deployment } from '../support/deployment.js'
import { runCli, type Ended } from './cli-process.js'

interface World {
  readonly deployment: Deployment
  /** Has an agent propose a step that asks a human, and gives the id of the decision that asks. */
  readonly ask: () => Promise<string>
  readonly approve: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>
}

async function onWorld(work: (world: World) => Promise<void>): Promise<void> {
  const deployment = await deploy('real', { partitions: 2 })
  const { log, topics, prefix } = deployment
  const monitor = deployment.startMonitor()
  try {
    await monitor.started
    const client = await createClient({ log, topics, timeoutMs: 30_000 })
    const session = await client.startSession()
    const ask = async () => {
      const { verdict, decision } = await session.propose({ tool: 'a_tool_that_nobody_knows' })
      assert.equal(verdict, 'confirm')
      return decision?.id ?? ''
    }
    const settings = {
      KAFKA_BROKERS: kafka.brokers.join(','),
      REDIS_URL: redis.url,
      PLIMSOLL_TOPIC_PREFIX: `${prefix}plimsoll`,
      PLIMSOLL_REDIS_PREFIX: prefix,
      PLIMSOLL_SIGNING_KEY: SIGNING_KEY,
    }
    const approve: World['approve'] = (args, env) =>
      runCli(['approve', ...args], { env: { ...settings, ...env } })
    await work({ deployment, ask, approve })
    await client.close()
  } finally {
    await deployment.close()
  }
}

describe('`approve` on Kafka and Redis', { skip: withoutPair }, () => {
  test('tells what the monitor made of the answer', () =>
    onWorld(async ({ ask, approve }) => {
      const approved = await approve([await ask(), '--by', 'ada'])
      assert.deepEqual([approved.code, approved.stderr], [0, ''])
      assert.match(approved.stdout, /^approved by ada;.*\nverdict +(allow|warn)\n/m)
      assert.match(approved.stdout, /^reason +unlabelled:tool_unlabelled: .*\(lifted by approval:ada\)$/m)
      const denied = await approve([await ask(), '--by', 'ada', '--deny'])
      assert.deepEqual([denied.code, denied.stderr], [0, ''])
      assert.match(
        denied.stdout,
        /^verdict +block\nreason +approval:approval_denied: `ada` denied the step$/m,
      )
    }))

  test('fails where the answer cannot count', () =>
    onWorld(async ({ deployment, ask, approve }) => {
      const asked = await ask()
      const published = deployment.seen.events.length
      const badName = await approve([asked, '--by', 'ada\nlovelace'])
      assert.deepEqual([badName.code, badName.stdout], [2, ''])
      assert.match(badName.stderr, /^plimsoll: usage_invalid: `by`: expected no control characters$/m)
      assert.equal(deployment.seen.events.length, published)

      const wrongKey = await approve([asked, '--by', 'ada'], {
        PLIMSOLL_SIGNING_KEY: 'the key of another place',
      })
      assert.equal(wrongKey.code, 1)
      assert.match(wrongKey.stderr, /^plimsoll: signature_invalid: the signature of .* does not verify$/m)
      assert.equal((await approve([asked, '--by', 'ada'])).code, 0)
    }))

  test('fails where no monitor answers in time', () =>
    onWorld(async ({ deployment, ask, approve }) => {
      const asked = await ask()
      const prefix = `${deployment.prefix}other`
      const names = ['events', 'decisions', 'deadletters']
      await deployment.log.createTopics(names.map((name) => ({ topic: `${prefix}.${name}`, partitions: 1 })))
      const silent = await approve([asked, '--by', 'ada', '--wait', '1'], { PLIMSOLL_TOPIC_PREFIX: prefix })
      assert.equal(silent.code, 1)
      assert.match(silent.stderr, /^plimsoll: published, but no monitor answered in time \(1 s\)/m)
    }))
})
