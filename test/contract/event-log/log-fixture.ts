import type {
  Batch,
  ConsumeOptions,
  Consumption,
  EventLog,
  LogRecord,
  OutgoingRecord,
} from '@plimsoll/runtime'
import { uniquePrefix } from '../../support/components/components.js'
import { waitUntil } from '../../support/wait-until.js'

export interface EventLogUnderTest {
  readonly name: string
  readonly skip: string | false
  /** A client of the adapter's log, shared by all clients. */
  readonly open: () => EventLog
}

/** A log, a new topic and helpers to observe them; `release` closes everything opened here. */
export interface LogFixture {
  readonly log: EventLog
  readonly topic: string
  readonly group: string
  /** Another client of the same log. */
  readonly another: () => EventLog
  /** Consumes with `log` or the given client. */
  readonly consume: (
    options: Partial<ConsumeOptions> & Pick<ConsumeOptions, 'onBatch'>,
    client?: EventLog,
  ) => Promise<Consumption>
  readonly release: () => Promise<void>
}

export async function logFixture(open: () => EventLog, partitions: number): Promise<LogFixture> {
  const prefix = uniquePrefix()
  const topic = `${prefix}topic`
  const group = `${prefix}group`
  const clients = [open()]
  const [log] = clients
  if (!log) throw new Error('no client')
  await log.createTopics([{ topic, partitions }])
  return {
    log,
    topic,
    group,
    another: () => {
      const client = open()
      clients.push(client)
      return client
    },
    consume: (options, client = log) => client.consume({ topic, group, ...options }),
    release: async () => {
      await Promise.all(clients.map((client) => client.close()))
    },
  }
}

/** Delivered records, in delivery order. */
export interface Deliveries {
  readonly records: LogRecord[]
  readonly values: () => string[]
  /** Records the whole batch and commits it. */
  readonly takeAll: (batch: Batch) => Promise<void>
  readonly add: (records: readonly LogRecord[]) => void
  /** Waits until each of `values` has been delivered at least once. */
  readonly untilAll: (values: readonly string[]) => Promise<void>
}

export function deliveries(): Deliveries {
  const records: LogRecord[] = []
  const values = () => records.map(textOf)
  const add = (added: readonly LogRecord[]) => {
    records.push(...added)
  }
  return {
    records,
    values,
    add,
    takeAll: async (batch) => {
      add(batch.records)
      await commitAll(batch)
    },
    untilAll: (wanted) =>
      waitUntil(`all of ${wanted.length} records`, () => {
        const seen = new Set(values())
        return wanted.every((value) => seen.has(value))
      }),
  }
}

export async function commitAll(batch: Batch): Promise<void> {
  const last = batch.records.at(-1)
  if (last) await batch.commit(last.offset)
}

export const textOf = (record: LogRecord): string => record.value?.toString('utf8') ?? '(null)'

/** Numbered records with rotating keys. */
export function numbered(count: number, keys: readonly string[], from = 0): OutgoingRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    key: keys[i % keys.length] ?? null,
    value: `r${from + i}`,
  }))
}

export const valuesOf = (records: readonly OutgoingRecord[]): string[] =>
  records.map(({ value }) => String(value))

/** One key for each of `count` partitions: the key of partition p is at index p. */
export async function keyPerPartition(log: EventLog, topic: string, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let i = 0; keys.filter(Boolean).length < count; i++) {
    const before = await log.describe(topic)
    await log.produce(topic, [{ key: `key${i}`, value: 'probe' }])
    const after = await log.describe(topic)
    const moved = after?.find((info, p) => info.nextOffset > (before?.[p]?.nextOffset ?? 0n))
    if (moved && !keys[moved.partition]) keys[moved.partition] = `key${i}`
  }
  return keys
}

/** A promise that the test resolves. */
export interface Gate {
  readonly opened: Promise<void>
  readonly open: () => void
}

export function gate(): Gate {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
