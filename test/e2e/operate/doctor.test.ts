import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { topicsOf } from '@plimsoll/contracts'
import type { Finding } from '@plimsoll/operations'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { kafka, redis, uniquePrefix, withoutPair } from '../../support/components/components.js'
import { deploy, settingsOf } from '../../support/sessions/deployment.js'
import { waitUntil } from '../../support/wait-until.js'
import { runCli } from '../cli-process.js'

/** Each created with three partitions. */
const settingsFor = (prefix: string) => ({ ...settingsOf({ prefix }), PLIMSOLL_PARTITIONS: '3' })

async function examine(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runCli(['doctor', '--json', ...args], { env })
  assert.equal(stderr, '')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  assert.equal(code, ok ? 0 : 1)
  const named = (name: string) => findings.filter((finding) => finding.name === name)
  return { findings, named, failed: findings.filter(({ status }) => status === 'fail') }
}

describe('`doctor` on Kafka and Redis', { skip: withoutPair }, () => {
  test('reports what is missing, creates it, and then passes', async () => {
    const prefix = uniquePrefix()
    const env = settingsFor(prefix)
    const topics = topicsOf(env.PLIMSOLL_TOPIC_PREFIX)
    const before = await examine([], env)
    assert.deepEqual(
      before.failed.map(({ name, remedy }) => [name, remedy]),
      [topics.events, topics.decisions, topics.deadLetters, topics.registry].map((topic) => [
        `topic ${topic}`,
        '`plimsoll doctor --create` makes it',
      ]),
    )
    assert.equal(before.named(`topic ${topics.shadow}`)[0]?.status, 'warn', 'verdicts do without')

    const { failed, named } = await examine(['--create'], env)
    // Of the shared Redis only availability is checked here.
    assert.deepEqual(
      failed.filter(({ name }) => !name.startsWith('redis')),
      [],
    )
    assert.match(
      named('topics')[0]?.what ?? '',
      /^made .*plimsoll\.events, .*plimsoll\.shadow, .*plimsoll\.registry$/,
    )
    assert.match(named(`topic ${topics.registry}`)[0]?.what ?? '', /^1 partition, 1 replica, compacted$/)
    assert.match(named(`topic ${topics.events}`)[0]?.what ?? '', /^3 partitions, 1 replica, keeps /)
    for (const name of [
      'kafka',
      'clock of kafka',
      'clock of redis',
      'registry',
      'lag',
      'redis version',
      'signing key',
    ])
      assert.deepEqual(
        named(name).map(({ status }) => status),
        ['ok'],
        name,
      )
    assert.equal(named('monitors')[0]?.status, 'warn')
    assert.deepEqual((await examine(['--create'], env)).named('topics'), [])
  })

  test('reports the monitors and their session state', async () => {
    const deployment = await deploy('real')
    const { prefix, topics, log, store } = deployment
    try {
      await log.createTopics([
        { topic: topics.registry, partitions: 1, config: { 'cleanup.policy': 'compact' } },
      ])
      await deployment.startMonitor().started
      await waitUntil('partitions are owned', async () => {
        const { named } = await examine([], settingsFor(prefix))
        return named('monitors')[0]?.what === '1 monitor for 3 partitions'
      })
      const { failed, named } = await examine([], settingsFor(prefix))
      assert.deepEqual(
        failed.filter(({ name }) => !name.startsWith('redis')),
        [],
      )
      assert.equal(named('partition count')[0]?.what, '3, as the session store remembers')
      await store.writeMeta(`log:${topics.events}`, { partitions: '5' })
      const changed = await examine([], settingsFor(prefix))
      assert.match(changed.named('partition count')[0]?.what ?? '', /^3, but the session store remembers 5/)
    } finally {
      await deployment.close()
    }
  })

  test('names each wrong setting, with the command that fixes it', async () => {
    const prefix = uniquePrefix()
    const env = settingsFor(prefix)
    const topics = topicsOf(env.PLIMSOLL_TOPIC_PREFIX)
    const log = createKafkaLog({ brokers: kafka.brokers })
    const config = { 'message.timestamp.type': 'CreateTime', 'retention.ms': '60000' }
    await log.createTopics([
      { topic: topics.events, partitions: 2, config },
      { topic: topics.decisions, partitions: 2 },
      { topic: topics.deadLetters, partitions: 2, config: { 'max.message.bytes': '1000' } },
      { topic: topics.registry, partitions: 2 },
    ])
    await log.close()
    const { named } = await examine([], env)
    const reported = (topic: string) =>
      named(`topic ${topic}`).map(({ status, remedy }) => `${status} ${remedy}`)
    const how = (topic: string) =>
      `kafka-configs.sh --bootstrap-server "$KAFKA_BROKERS" --alter --entity-type topics --entity-name ${topic} --add-config`
    assert.deepEqual(reported(topics.events), [
      `fail ${how(topics.events)} message.timestamp.type=LogAppendTime`,
      `warn ${how(topics.events)} retention.ms=86400000`,
    ])
    assert.deepEqual(reported(topics.deadLetters), [
      `fail ${how(topics.deadLetters)} max.message.bytes=532480`,
    ])
    assert.deepEqual(
      named(`topic ${topics.registry}`).map(({ what }) => what.split(/[:;]/)[0]),
      ['its cleanup.policy is delete', 'it has 2 partitions and must have one'],
    )
  })

  test('an unreadable document is a failure, and the others are read', async () => {
    const prefix = uniquePrefix()
    const env = { ...settingsFor(prefix), PLIMSOLL_BUNDLES: '/nowhere/bundle.json' }
    const { findings, failed } = await examine(['--create'], env)
    assert.ok(
      failed.some(({ name, what }) => name === 'bundle /nowhere/bundle.json' && /cannot be read/.test(what)),
    )
    assert.ok(findings.some(({ name }) => name === 'policy (shipped)'))
  })

  test('the probe it writes is a tombstone, not a document', async () => {
    const prefix = uniquePrefix()
    const env = settingsFor(prefix)
    await examine(['--create'], env)
    const { named } = await examine([], env)
    assert.deepEqual(
      named('registry').map(({ what }) => what),
      ['0 documents'],
    )
    const log = createKafkaLog({ brokers: kafka.brokers })
    const seen: (readonly [string | null, boolean])[] = []
    await log.read(
      topicsOf(env.PLIMSOLL_TOPIC_PREFIX).registry,
      ({ key, value }) => void seen.push([key, value === null]),
    )
    await log.close()
    assert.deepEqual(seen, [
      ['probe', true],
      ['probe', true],
    ])
  })
})

describe('`doctor` without Kafka or Redis', { concurrency: true }, () => {
  const nowhere = { KAFKA_BROKERS: '127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' }

  test('reports that both are down, and still reads the documents', async () => {
    const { failed, named } = await examine(['--monitor', 'http://127.0.0.1:1'], nowhere)
    assert.deepEqual(
      failed.map(({ name }) => name),
      ['kafka', 'redis', 'monitor http://127.0.0.1:1'],
    )
    assert.equal(named('policy (shipped)')[0]?.status, 'ok')
  })

  test('reports the addresses it tried, without passwords', async () => {
    const { named } = await examine([], { ...nowhere, REDIS_URL: 'redis://plimsoll:hush@127.0.0.1:1/2' })
    assert.match(named('kafka')[0]?.what ?? '', /\(asked at 127\.0\.0\.1:1\)/)
    assert.match(named('redis')[0]?.what ?? '', /\(asked at 127\.0\.0\.1:1\)$/)
  })

  test('does not wait for a server that accepts connections and never answers', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}).resume())
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const at = `127.0.0.1:${port}`
    const env = { KAFKA_BROKERS: at, REDIS_URL: `redis://${at}` }
    const { failed } = await examine(['--create', '--monitor', `http://${at}`], env)
    assert.deepEqual(
      failed.map(({ name }) => name),
      ['kafka', 'redis', `monitor http://${at}`],
    )
    await new Promise((resolve) => silent.close(resolve))
  })

  test('checks Redis without Kafka', { skip: redis.skip }, async () => {
    const { named } = await examine([], { ...nowhere, REDIS_URL: redis.url })
    assert.equal(named('kafka')[0]?.status, 'fail')
    assert.equal(named('redis version')[0]?.status, 'ok')
    assert.equal(named('clock of redis')[0]?.status, 'ok')
  })

  test('checks Kafka without Redis', { skip: kafka.skip }, async () => {
    const env = { ...settingsFor(uniquePrefix()), REDIS_URL: nowhere.REDIS_URL }
    const { named } = await examine(['--create'], env)
    assert.equal(named('redis')[0]?.status, 'fail')
    assert.equal(named('kafka')[0]?.status, 'ok')
    assert.equal(named('registry')[0]?.status, 'ok')
  })

  test('prints aligned lines, with what to do below', async () => {
    const { code, stdout } = await runCli(['doctor'], { env: nowhere })
    assert.equal(code, 1)
    assert.match(stdout, /^fail {2}redis +redis cannot be reached .*\n +→ check that Redis runs/m)
    assert.match(stdout, /\n\n\d+ ok, 1 warning, 2 failures\n$/)
    const columns = stdout.split('\n').filter((line) => /^(ok|warn|fail) /.test(line))
    const starts = new Set(columns.map((line) => /^\S+ +.*? {2,}/.exec(line)?.[0].length))
    assert.equal(starts.size, 1, stdout)
  })
})
