import { Kafka, logLevel, Partitioners, type Consumer, type KafkaMessage, type Producer } from 'kafkajs'

/** What any stream processor on kafkajs pays: takes each batch of a topic, sends it on, commits. The yardstick of the pipeline. */
export interface Forwarder {
  stop(): Promise<void>
}

export interface ForwarderOptions {
  readonly brokers: readonly string[]
  readonly from: string
  readonly to: string
  readonly group: string
  /** Called with the number of messages of a batch that were forwarded and committed. */
  readonly onForwarded?: (count: number) => void
}

export async function startForwarder(options: ForwarderOptions): Promise<Forwarder> {
  const kafka = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING })
  // kafkajs as it comes, but for what the monitor needs too: the partitioner of Java clients, acknowledgement by all replicas.
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
  const consumer = kafka.consumer({ groupId: options.group, sessionTimeout: 10_000, maxWaitTimeInMs: 200 })
  await Promise.all([producer.connect(), consumer.connect()])
  await consumer.subscribe({ topic: options.from, fromBeginning: true })
  await run(consumer, producer, options)
  return {
    stop: async () => {
      await consumer.disconnect()
      await producer.disconnect()
    },
  }
}

async function run(
  consumer: Consumer,
  producer: Producer,
  { to, onForwarded }: ForwarderOptions,
): Promise<void> {
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 16,
    eachBatch: async ({ batch, resolveOffset, heartbeat }) => {
      const { topic, partition, messages } = batch
      await producer.send({ topic: to, acks: -1, messages: messages.map(forwarded) })
      const next = String(BigInt(batch.lastOffset()) + 1n)
      await consumer.commitOffsets([{ topic, partition, offset: next }])
      resolveOffset(batch.lastOffset())
      await heartbeat()
      onForwarded?.(messages.length)
    },
  })
}

const forwarded = ({ key, value }: KafkaMessage) => ({ key, value })
