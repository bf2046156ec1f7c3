import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PlimsollError, type Policy } from '@plimsoll/contracts'
import type { Arrow } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import type { SessionStore } from '@plimsoll/runtime'
import { spawnMonitor, type SpawnedMonitor } from '../../chaos/spawn-monitor.js'
import { kafka, redis, withoutPair } from '../../support/components/components.js'
import { decisionsOf, deploy, DEPLOYMENTS, type Deployment } from '../../support/sessions/deployment.js'
import { sessionScript } from '../../support/sessions/events.js'
import { openRedisKeys } from '../../support/components/redis-keys.js'

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
    test('allows exactly the limit of sessions, also within one chunk; the log and the recorded counts reproduce the decisions', async () => {
      const world = await deploy(kind, { partitions: 3, documents: { policy: await limited('deployment') } })
      try {
        await world.startMonitor().started
        await assertLimited(world, scriptsOf('s', 30))
      } finally {
        await world.close()
      }
    })

    test('counts each tenant separately', async () => {
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

describe('fleet limits and a failing store', { skip: withoutPair }, () => {
  test('after a flush, sessions and counters are rebuilt from the decisions', async () => {
    const policy = await limited('deployment')
    const world = await deploy('real', { partitions: 2, documents: { policy } })
    const keys = openRedisKeys(redis.url, `${world.prefix}plimsoll`)
    try {
      await world.startMonitor().started
      const scripts = scriptsOf('s', 20)
      await world.publish(
        scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
      )
      await world.untilDecided(20)
      await keys.flush()
      // How many steps a session has is in its decisions: what was blocked did not become one.
      await world.publish(scripts.map((script) => script.propose('read_file', 'other')))
      await world.untilDecided(40)
      const late = sessionScript('late')
      await world.publish([late.start(), late.propose('list_files', 'first')])
      await world.untilDecided(41)
      assert.equal(letRun(world, 'first').length, LIMIT)
      assert.equal(decisionsOf(world).find(({ sessionId }) => sessionId === 'late')?.verdict, 'block')
    } finally {
      await keys.close()
      await world.close()
    }
  })

  test('waits for a counter that cannot be read, and judges no step without it', async () => {
    const policy = await limited('deployment', 1)
    const world = await deploy('real', { partitions: 1, documents: { policy } })
    try {
      let failures = 3
      const store: SessionStore = {
        ...world.store,
        fleet: async (queries) => {
          if (failures-- > 0) throw new PlimsollError('store_unavailable', 'no answer')
          return world.store.fleet(queries)
        },
      }
      await world.startMonitor({ store }).started
      const scripts = scriptsOf('s', 3)
      await world.publish(
        scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
      )
      await world.untilDecided(3)
      assert.equal(letRun(world, 'first').length, 1)
      assert.ok(failures < 0)
      // Where nothing is limited nothing is read.
      const read = failures
      await world.publish(scripts.map((script) => script.propose('read_file', 'other')))
      await world.untilDecided(6)
      assert.equal(failures, read)
    } finally {
      await world.close()
    }
  })
})

describe('fleet limits of two monitors', { skip: withoutPair }, () => {
  const ARROWS: readonly (Arrow | undefined)[] = [undefined, 'folded', 'stored', 'produced']
  for (const arrow of ARROWS)
    test(`the last place is given once${arrow ? `, one of them killed behind \`${arrow}\`` : ''}`, async () => {
      const policy = await limited('deployment')
      const world = await deploy('real', { partitions: 4, documents: { policy } })
      const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: world.prefix, policy }
      const monitors: SpawnedMonitor[] = []
      try {
        for (const fate of [arrow && ({ arrow, nth: 2, signal: 'SIGKILL' } as const), undefined]) {
          const monitor = spawnMonitor(fate ? { ...common, fate } : common)
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
