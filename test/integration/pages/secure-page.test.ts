import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connectClient } from '@plimsoll/client/kafka'
import { topicsOf } from '@plimsoll/contracts'
import { Redis } from 'ioredis'
import { startMonitor } from '@plimsoll/monitor'
import { defaultDocuments } from '@plimsoll/policy'
import { noMetrics, openRegistry, registerDocument, silentLogger, topicSpecs } from '@plimsoll/runtime'
import { createKafkaLog } from '@plimsoll/runtime/kafka'
import { createRedisLineages, createRedisStore } from '@plimsoll/runtime/redis'
import { allow } from '../../support/kafka/acls.js'
import { blocksOf } from '../../reference/hand-written.js'
import { createProofWorld } from '../../support/proof/proof-world.js'
import { localKafkaMissing, startLocalKafka } from '../../support/kafka/local.js'
import { SIGNING_KEY } from '../../support/sessions/deployment.js'
import { startRedis, withoutOwnRedis, type RunningRedis } from '../../support/components/own-components.js'
import { projectRoot } from '../../support/paths.js'
import { createReleasers } from '../../support/releasers.js'

const page = readFileSync(path.join(projectRoot, 'docs/guides/secure.md'), 'utf8')
const PRINCIPALS = ['monitor', 'agents', 'operator', 'recorder', 'siem'] as const
type Principal = (typeof PRINCIPALS)[number]

/** A Kafka with authentication that denies whatever no rule allows. Each password is the user's name. */
const settings = {
  'listener.security.protocol.map': 'PLAINTEXT:SASL_PLAINTEXT,BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms': 'PLAIN',
  'listener.name.plaintext.plain.sasl.jaas.config': [
    'org.apache.kafka.common.security.plain.PlainLoginModule required',
    ...PRINCIPALS.map((name) => `user_${name}="${name}"`),
  ]
    .join(' ')
    .concat(';'),
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS',
}

const missing = (await localKafkaMissing()) ?? withoutOwnRedis
const skip = typeof missing === 'string' ? `needs a local Kafka and Redis: ${missing}` : false
const topics = topicsOf()
const releasers = createReleasers()
let brokers: readonly string[] = []
let redis: RunningRedis

const connectionOf = (name: Principal) => ({
  brokers,
  sasl: { mechanism: 'plain', username: name, password: name } as const,
})

function logOf(name: Principal) {
  const log = createKafkaLog(connectionOf(name))
  releasers.add(() => log.close())
  return log
}

before(async () => {
  if (skip !== false) return
  const kafka = await startLocalKafka({ settings })
  releasers.add(() => kafka.stop())
  redis = await startRedis()
  releasers.add(() => redis.stop())
  brokers = kafka.brokers
  await allow(kafka.inside, page)
})
after(() => releasers.releaseAll())

test("the page's rules suffice for monitors, agents and operators", { skip }, async () => {
  const operator = logOf('operator')
  await operator.createTopics(topicSpecs(topics, { partitions: 2 }))
  const documents = await defaultDocuments()
  await registerDocument(operator, topics.registry, documents.policy)
  const store = createRedisStore({ url: await redisUserOf(redis.url), prefix: 'plimsoll' })
  releasers.add(() => store.close())
  const monitor = startMonitor({
    log: logOf('monitor'),
    store,
    documents: [documents],
    topics,
    group: 'plimsoll-monitor',
    signingKey: SIGNING_KEY,
    metrics: noMetrics,
    logger: silentLogger,
  })
  releasers.add(() => monitor.close())
  await monitor.started
  const client = await connectClient({ ...connectionOf('agents'), timeoutMs: 60_000 })
  releasers.add(() => client.close())
  const session = await client.startSession({ category: 'data_handling' })
  const answer = await session.propose({ tool: 'get_customer', arguments: { id: 7 } })
  assert.deepEqual([answer.by, answer.verdict], ['decision', 'allow'])
  const registry = await openRegistry({ log: operator, topic: topics.registry, watch: false })
  assert.equal(registry.documents().length, 1)
  await registry.close()
  assert.ok((await operator.group('plimsoll-monitor', topics.events)).members > 0)
  assert.ok(await operator.settings(topics.events))
})

test('and for a recorder of proofs', { skip }, async (t) => {
  const world = await createProofWorld(t)
  const log = logOf('recorder')
  const record = async () => {
    await world.record({ log })
    return (await world.entries('default')).length
  }
  const before = await record()
  assert.ok(before > 0)
  assert.equal(await record(), before)
})

const forbidden: readonly (readonly [Principal, string])[] = [
  ['agents', topics.decisions],
  ['agents', topics.registry],
  ['agents', topics.deadLetters],
  ['operator', topics.decisions],
  ['recorder', topics.events],
  ['recorder', topics.decisions],
  ['siem', topics.events],
]
for (const [principal, topic] of forbidden)
  test(`and ${principal} cannot write to ${topic}`, { skip }, async () => {
    await assert.rejects(logOf(principal).produce(topic, [{ key: 'k', value: '{}' }]), /authori[sz]/i)
  })

test('the gateway can access its own Redis keys and no others', { skip }, async (t) => {
  const url = await redisUserOf(redis.url, 'plimsoll-gateway')
  const lineages = createRedisLineages({ url })
  const store = createRedisStore({ url })
  t.after(() => Promise.all([lineages.close(), store.close()]))
  const entry = { id: 's1', body: 'what it knows' }
  assert.equal(await lineages.report('l1', entry, { ttlMs: 1_000, keptMax: 1 }), true)
  assert.deepEqual(await lineages.read('l1'), [entry])
  await assert.rejects(store.load(['s1']), /NOPERM|permission/i)
})

/** `url` with a user that the page creates. */
async function redisUserOf(url: string, user = 'plimsoll'): Promise<string> {
  const commands = blocksOf(page, 'text').flatMap((block) => block.match(/^ACL SETUSER .*$/gm) ?? [])
  const command = commands.find((each) => each.startsWith(`ACL SETUSER ${user} `)) ?? ''
  const [, , ...rule] = command.split(' ')
  assert.ok(rule.length > 3, 'the page has a user for Redis')
  const admin = new Redis(url)
  await admin.call('ACL', 'SETUSER', ...rule.map((word) => word.replace('PASSWORD', 'secret')))
  await admin.quit()
  return url.replace('redis://', `redis://${user}:secret@`)
}
