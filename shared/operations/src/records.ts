import { PlimsollError, formatIssues } from '@plimsoll/contracts'
import type { EventLog, PartitionInfo, ReadRange } from '@plimsoll/runtime'

/** Which records of a topic are read. */
export interface Window {
  /** Records appended at this time or later, milliseconds since 1970; all if left out. */
  readonly fromMs?: number | undefined
  /** Only this partition. */
  readonly partition?: number | undefined
}

export type Range = Required<ReadRange>

type Log = Pick<EventLog, 'describe' | 'offsetAt'>

/** Partitions searched at a time: each search is a connection of its own. */
const SEARCHES_MAX = 8

/** The non-empty ranges of `topic` that hold what was appended in the window. Throws `config_invalid` without the topic. */
export async function rangesOf(
  log: Log,
  topic: string,
  { fromMs, partition }: Window,
): Promise<readonly Range[]> {
  const described = await partitionsOf(log, topic)
  const asked = described.filter((each) => partition === undefined || each.partition === partition)
  const ranges: Range[] = []
  for (let at = 0; at < asked.length; at += SEARCHES_MAX) {
    const together = asked.slice(at, at + SEARCHES_MAX).map((info) => rangeOf(log, topic, info, fromMs))
    ranges.push(...(await Promise.all(together)))
  }
  return ranges.filter(({ from, to }) => from < to)
}

/** Throws `config_invalid` if there is no such topic. */
export async function partitionsOf(
  log: Pick<EventLog, 'describe'>,
  topic: string,
): Promise<readonly PartitionInfo[]> {
  const partitions = await log.describe(topic)
  if (partitions) return partitions
  throw new PlimsollError(
    'config_invalid',
    `no topic \`${topic}\`: check KAFKA_BROKERS and PLIMSOLL_TOPIC_PREFIX; \`plimsoll doctor --create\` creates it`,
  )
}

async function rangeOf(
  log: Log,
  topic: string,
  { partition, firstOffset, nextOffset }: PartitionInfo,
  fromMs: number | undefined,
): Promise<Range> {
  const from = fromMs === undefined ? firstOffset : await log.offsetAt(topic, partition, fromMs)
  return { partition, from: from ?? nextOffset, to: nextOffset }
}

interface Schema {
  safeParse(value: unknown): {
    readonly error?: Parameters<typeof formatIssues>[0] | undefined
  }
}

/** Throws `usage_invalid`, naming each field, for a record that every monitor would refuse. */
export function assertValid(schema: Schema, value: unknown): void {
  const { error } = schema.safeParse(value)
  if (!error) return
  throw new PlimsollError('usage_invalid', formatIssues(error))
}
