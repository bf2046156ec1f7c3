import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message, PartitionMetadata, Producer, ProducerConfig } from 'kafkajs'
import { noMetrics } from '../telemetry/metrics.js'
import { silentLogger } from '../telemetry/logger.js'
import type { Client } from './connection.js'
import { KAFKA_LIMITS } from './event-log.js'
import { createKafkaInstruments } from './member.js'
import { createTopicWriter } from './topic-writer.js'

interface Send {
  readonly producer: number
  readonly values: readonly string[]
  readonly partitions: readonly number[]
}

/** A kafkajs of two partitions whose answers the test gives: the partitions that are acknowledged, or an error. */
function fakeKafka(answer: (send: Send, count: number) => readonly number[] | Error) {
  const sends: Send[] = []
  let producers = 0
  let sending = 0
  const partitionMetadata = [0, 1].map((partitionId) => ({ partitionId, leader: 1 }) as PartitionMetadata)
  const producerOf = (config: ProducerConfig): Partial<Producer> => {
    const producer = producers++
    const partitioner = config.createPartitioner?.()
    return {
      connect: async () => {},
      disconnect: async () => {},
      send: async ({ topic, messages }) => {
        assert.equal(++sending, 1, 'one request at a time')
        await new Promise(setImmediate)
        sending--
        const place = (message: Message) => partitioner?.({ topic, partitionMetadata, message }) ?? -1
        const send = {
          producer,
          values: messages.map(({ value }) => String(value)),
          partitions: messages.map(place),
        }
        sends.push(send)
        const answered = answer(send, sends.length)
        if (answered instanceof Error) throw answered
        return answered.map((partition) => ({ topicName: topic, partition, errorCode: 0 }))
      },
    }
  }
  const newClient = (): Client => ({
    kafka: { producer: producerOf } as unknown as Client['kafka'],
    retire: () => {},
  })
  return {
    sends,
    writer: createTopicWriter({
      topic: 't',
      newClient,
      limits: KAFKA_LIMITS,
      logger: silentLogger,
      instruments: createKafkaInstruments(noMetrics),
    }),
  }
}

const record = (value: string, key: string | null = 'a') => ({ key, value })
const both = () => [0, 1]

test('calls of one turn share a request, calls that come meanwhile the next', async () => {
  const { sends, writer } = fakeKafka(both)
  const first = [writer.write([record('1')]), writer.write([record('2'), record('3')])]
  await new Promise(setImmediate)
  const second = [writer.write([record('4')]), writer.write([record('5')])]
  await Promise.all([...first, ...second])
  assert.deepEqual(
    sends.map(({ values }) => values),
    [
      ['1', '2', '3'],
      ['4', '5'],
    ],
  )
})

test('a partition that has not answered is sent again, to where it was', async () => {
  const { sends, writer } = fakeKafka((_, count) => (count === 1 ? [1] : [0]))
  await writer.write(Array.from({ length: 6 }, (_, i) => record(`${i}`, null)))
  const [first, second] = sends
  const left = first?.values.filter((_, i) => first.partitions[i] === 0)
  assert.deepEqual(second?.values, left)
  assert.deepEqual(second?.partitions, [0, 0, 0])
})

test('a producer that has failed is not used again, and what waits fails with it', async () => {
  const { sends, writer } = fakeKafka(({ producer }) => (producer === 0 ? new Error('gone') : both()))
  const first = writer.write([record('1')])
  await Promise.resolve()
  await Promise.resolve()
  const behind = writer.write([record('2')])
  await assert.rejects(first, { code: 'log_unavailable' })
  await assert.rejects(behind, { code: 'log_unavailable' })
  await writer.write([record('3')])
  assert.deepEqual(
    sends.map(({ producer, values }) => [producer, values]),
    [
      [0, ['1']],
      [1, ['3']],
    ],
  )
})

test('a record that is at fault fails alone', async () => {
  const { writer } = fakeKafka(({ values }) =>
    values.includes('large') ? Object.assign(new Error('too large'), { type: 'MESSAGE_TOO_LARGE' }) : both(),
  )
  const large = writer.write([record('large')])
  await Promise.resolve()
  await Promise.resolve()
  const behind = writer.write([record('2')])
  await assert.rejects(large, { code: 'log_unavailable', details: { type: 'MESSAGE_TOO_LARGE' } })
  await behind
})

test('closing writes what waits', async () => {
  const { sends, writer } = fakeKafka(both)
  const written = writer.write([record('1')])
  await writer.close()
  await written
  assert.equal(sends.length, 1)
  await assert.rejects(writer.write([record('2')]), { code: 'closed' })
})
