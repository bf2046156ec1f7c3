import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Kafka, logLevel } from 'kafkajs'
import { uniquePrefix } from './support/components/components.js'
import { startKafka, withoutOwnKafka } from './support/components/own-components.js'

test('acknowledged Kafka records survive a kill', { skip: withoutOwnKafka }, async (t) => {
  const server = await startKafka()
  t.after(() => server.stop())
  const topic = `${uniquePrefix()}kept`
  const kafka = new Kafka({ brokers: [...server.brokers], logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  const producer = kafka.producer({ idempotent: true })
  t.after(() => Promise.all([admin.disconnect(), producer.disconnect()]))
  await Promise.all([admin.connect(), producer.connect()])
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] })
  await producer.send({ topic, acks: -1, messages: [{ value: 'one' }, { value: 'two' }] })
  await server.kill()
  await server.restart()
  const [partition] = await admin.fetchTopicOffsets(topic)
  assert.equal(partition?.high, '2')
})
