import type { Metrics } from '../metrics.js'

/** What the adapter measures of itself; its parts call these and hold no metric. */
export interface KafkaInstruments {
  queueBytes(topic: string, bytes: number): void
  writeFailed(topic: string): void
  /** A member has left its group without being asked to and joins again. */
  rejoined(topic: string): void
  /** A batch was not done and is delivered again. */
  redelivered(topic: string): void
}

export function createKafkaInstruments(metrics: Metrics): KafkaInstruments {
  const labels = ['topic'] as const
  const queue = metrics.gauge({
    name: 'log_write_queue_bytes',
    help: 'Bytes that wait to be written.',
    labels,
  })
  const failures = metrics.counter({ name: 'log_write_failures_total', help: 'Writes given up.', labels })
  const rejoins = metrics.counter({ name: 'log_rejoins_total', help: 'Times a group was lost.', labels })
  const redeliveries = metrics.counter({ name: 'log_redeliveries_total', help: 'Batches not done.', labels })
  return {
    queueBytes: (topic, bytes) => queue.set({ topic }, bytes),
    writeFailed: (topic) => failures.inc({ topic }),
    rejoined: (topic) => rejoins.inc({ topic }),
    redelivered: (topic) => redeliveries.inc({ topic }),
  }
}
