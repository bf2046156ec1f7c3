import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Policy } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { spawnMonitor, type SpawnedMonitor } from '../chaos/spawn-monitor.js'
import { kafka, redis, withoutPair } from '../support/components.js'
import { decisionsOf, deploy, DEPLOYMENTS, type Deployment } from '../support/deployment.js'
import { sessionScript } from '../support/events.js'

const LIMIT = 5
const limited = async (of: 'tenant' | 'deployment', sessions = LIMIT): Promise<Policy> => ({
  ...(await defaultDocuments()).policy,
  specs: [{ id: 'few', tier: 'blocklist', tools: ['list_files'], fleet: { sessions, seconds: 3600, of } }],
})

/** The sessions that were let list by the proposals of `callId`. */
const letRun = (world: Deployment, callId: string): string[] =>
  decisionsOf(world)
    .filter((each) => each.callId === callId && each.verdict === 'allow')
    .map(({ sessionId }) => sessionId)
    .sort()

const scriptsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => sessionScript(`${prefix}${i}`))

/** Every session lists; then those that were let list do so again, and the others read. */
async function assertLimited(world: Deployment, scripts: readonly ReturnType<typeof sessionScript>[]) {
  const count = scripts.length
  await world.publish(scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]))
  await world.untilDecided(count)
  const first = letRun(world, 'first')
  assert.equal(first.length, LIMIT)
  for (const decision of decisionsOf(world)) {
    const reading = decision.facts['spec:few']
    assert.ok(typeof reading === 'number')
    assert.equal(decision.verdict, reading < LIMIT ? 'allow' : 'block')
  }
  await world.publish(
    scripts.flatMap((script) => [
      script.propose('list_files', 'again'),
      script.propose('read_file', 'other'),
    ]),
  )
  await world.untilDecided(3 * count)
  assert.deepEqual(letRun(world, 'again'), first)
  assert.equal(letRun(world, 'other').length, count)
  // Who proposes what nothing limits is judged by no reading.
  const facts = decisionsOf(world).filter(({ tool }) => tool === 'read_file')
  assert.ok(facts.every((each) => Object.keys(each.facts).length === 0))
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`fleet limits, ${kind}`, { skip }, () => {
    test('so many sessions and no more, those of one chunk among them; the log and the readings are enough to decide again', async () => {
      const world = await deploy(kind, { partitions: 3, documents: { policy: await limited('deployment') } })
      try {
        await world.startMonitor().started
        await assertLimited(world, scriptsOf('s', 30))
      } finally {
        await world.close()
      }
    })

    test('tenants are counted apart', async () => {
      const policy = await limited('tenant', 1)
      const world = await deploy(kind, { partitions: 2, documents: { policy } })
      try {
        await world.startMonitor().started
        const scripts = ['a~1', 'a~2', 'b~1', 'b~2', 'c'].map((id) => sessionScript(id))
        await world.publish(
          scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
        )
        await world.untilDecided(scripts.length)
        assert.deepEqual(
          letRun(world, 'first').map((id) => id.slice(0, 1)),
          ['a', 'b', 'c'],
        )
      } finally {
        await world.close()
      }
    })
  })

describe('fleet limits of two monitors', { skip: withoutPair }, () => {
  test('both see what the other let run, and the last place is taken once', async () => {
    const policy = await limited('deployment')
    const world = await deploy('real', { partitions: 4, documents: { policy } })
    const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: world.prefix, policy }
    const monitors: SpawnedMonitor[] = []
    try {
      for (let i = 0; i < 2; i++) {
        const monitor = spawnMonitor(common)
        monitors.push(monitor)
        await monitor.printed('running')
      }
      await assertLimited(world, scriptsOf('s', 60))
    } finally {
      for (const monitor of monitors) monitor.signal('SIGKILL')
      await Promise.all(monitors.map(({ exited }) => exited))
      await world.close()
    }
  })
})
