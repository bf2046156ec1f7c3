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

/** The sessions whose `callId` was allowed to list. */
const letRun = (deployment: Deployment, callId: string): string[] =>
  decisionsOf(deployment)
    .filter((each) => each.callId === callId && each.verdict === 'allow')
    .map(({ sessionId }) => sessionId)
    .sort()

const scriptsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => sessionScript(`${prefix}${i}`))

/** Every session lists; then the allowed ones list again, and the others read. */
async function assertLimited(deployment: Deployment, scripts: readonly ReturnType<typeof sessionScript>[]) {
  const count = scripts.length
  await deployment.publish(
    scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
  )
  await deployment.untilDecided(count)
  const first = letRun(deployment, 'first')
  assert.equal(first.length, LIMIT)
  for (const decision of decisionsOf(deployment)) {
    const reading = decision.facts['spec:few']
    assert.ok(typeof reading === 'number')
    assert.equal(decision.verdict, reading < LIMIT ? 'allow' : 'block')
  }
  await deployment.publish(
    scripts.flatMap((script) => [
      script.propose('list_files', 'again'),
      script.propose('read_file', 'other'),
    ]),
  )
  await deployment.untilDecided(3 * count)
  assert.deepEqual(letRun(deployment, 'again'), first)
  assert.equal(letRun(deployment, 'other').length, count)
  // A step without a limit is judged without a counter.
  const facts = decisionsOf(deployment).filter(({ tool }) => tool === 'read_file')
  assert.ok(facts.every((each) => Object.keys(each.facts).length === 0))
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(`fleet limits, ${kind}`, { skip }, () => {
    test('allows exactly the limit of sessions, also within one chunk; the log and the recorded counts reproduce the decisions', async () => {
      const deployment = await deploy(kind, {
        partitions: 3,
        documents: { policy: await limited('deployment') },
      })
      try {
        await deployment.startMonitor().started
        await assertLimited(deployment, scriptsOf('s', 30))
      } finally {
        await deployment.close()
      }
    })

    test('counts each tenant separately', async () => {
      const policy = await limited('tenant', 1)
      const deployment = await deploy(kind, { partitions: 2, documents: { policy } })
      try {
        await deployment.startMonitor().started
        const scripts = ['a~1', 'a~2', 'b~1', 'b~2', 'c'].map((id) => sessionScript(id))
        await deployment.publish(
          scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
        )
        await deployment.untilDecided(scripts.length)
        assert.deepEqual(
          letRun(deployment, 'first').map((id) => id.slice(0, 1)),
          ['a', 'b', 'c'],
        )
      } finally {
        await deployment.close()
      }
    })
  })

describe('fleet limits and a failing store', { skip: withoutPair }, () => {
  test('after a flush, sessions and counters are rebuilt from the decisions', async () => {
    const policy = await limited('deployment')
    const deployment = await deploy('real', { partitions: 2, documents: { policy } })
    const keys = openRedisKeys(redis.url, `${deployment.prefix}plimsoll`)
    try {
      await deployment.startMonitor().started
      const scripts = scriptsOf('s', 20)
      await deployment.publish(
        scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
      )
      await deployment.untilDecided(20)
      await keys.flush()
      // Decisions show the number of steps of a session: a blocked proposal is none.
      await deployment.publish(scripts.map((script) => script.propose('read_file', 'other')))
      await deployment.untilDecided(40)
      const late = sessionScript('late')
      await deployment.publish([late.start(), late.propose('list_files', 'first')])
      await deployment.untilDecided(41)
      assert.equal(letRun(deployment, 'first').length, LIMIT)
      assert.equal(decisionsOf(deployment).find(({ sessionId }) => sessionId === 'late')?.verdict, 'block')
    } finally {
      await keys.close()
      await deployment.close()
    }
  })

  test('waits for a counter that cannot be read, and judges no step without it', async () => {
    const policy = await limited('deployment', 1)
    const deployment = await deploy('real', { partitions: 1, documents: { policy } })
    try {
      let failures = 3
      const store: SessionStore = {
        ...deployment.store,
        fleet: async (queries) => {
          if (failures-- > 0) throw new PlimsollError('store_unavailable', 'no answer')
          return deployment.store.fleet(queries)
        },
      }
      await deployment.startMonitor({ store }).started
      const scripts = scriptsOf('s', 3)
      await deployment.publish(
        scripts.flatMap((script) => [script.start(), script.propose('list_files', 'first')]),
      )
      await deployment.untilDecided(3)
      assert.equal(letRun(deployment, 'first').length, 1)
      assert.ok(failures < 0)
      // Without a limit no counter is read.
      const read = failures
      await deployment.publish(scripts.map((script) => script.propose('read_file', 'other')))
      await deployment.untilDecided(6)
      assert.equal(failures, read)
    } finally {
      await deployment.close()
    }
  })
})

describe('fleet limits of two monitors', { skip: withoutPair }, () => {
  const ARROWS: readonly (Arrow | undefined)[] = [undefined, 'folded', 'stored', 'produced']
  for (const arrow of ARROWS)
    test(`the last place is given once${arrow ? `, one of them killed behind \`${arrow}\`` : ''}`, async () => {
      const policy = await limited('deployment')
      const deployment = await deploy('real', { partitions: 4, documents: { policy } })
      const common = { brokers: kafka.brokers, redisUrl: redis.url, prefix: deployment.prefix, policy }
      const monitors: SpawnedMonitor[] = []
      try {
        for (const fate of [arrow && ({ arrow, nth: 2, signal: 'SIGKILL' } as const), undefined]) {
          const monitor = spawnMonitor(fate ? { ...common, fate } : common)
          monitors.push(monitor)
          await monitor.printed('running')
        }
        await assertLimited(deployment, scriptsOf('s', 60))
      } finally {
        for (const monitor of monitors) monitor.signal('SIGKILL')
        await Promise.all(monitors.map(({ exited }) => exited))
        await deployment.close()
      }
    })
})
