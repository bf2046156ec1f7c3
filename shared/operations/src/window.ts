import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog, PartitionInfo, ReadRange } from '@plimsoll/runtime'

/** Which records of a topic are read. */
export interface Window {
  /** Records appended then or later, milliseconds since 1970; all where it is left out. */
  readonly fromMs?: number | undefined
  /** Of this partition alone. */
  readonly partition?: number | undefined
}

export type Range = Required<ReadRange>

type Log = Pick<EventLog, 'describe' | 'offsetAt'>

/** Partitions searched at a time: each search is a connection of its own. */
const SEARCHES_MAX = 8

/** The ranges of `topic` that hold what was appended in the window; none that would be empty. Throws `config_invalid` without the topic. */
export async function rangesOf(
  log: Log,
  topic: string,
  { fromMs, partition }: Window,
): Promise<readonly Range[]> {
  const described = await log.describe(topic)
  if (!described)
    throw new PlimsollError('config_invalid', `no topic \`${topic}\`: \`plimsoll doctor --create\` makes it`)
  const asked = described.filter((each) => partition === undefined || each.partition === partition)
  const ranges: Range[] = []
  for (let at = 0; at < asked.length; at += SEARCHES_MAX) {
    const together = asked.slice(at, at + SEARCHES_MAX).map((info) => rangeOf(log, topic, info, fromMs))
    ranges.push(...(await Promise.all(together)))
  }
  return ranges.filter(({ from, to }) => from < to)
}

async function rangeOf(
  log: Log,
  topic: string,
  { partition, firstOffset, nextOffset }: PartitionInfo,
  fromMs: number | undefined,
): Promise<Range> {
  if (fromMs === undefined) return { partition, from: firstOffset, to: nextOffset }
  return { partition, from: (await log.offsetAt(topic, partition, fromMs)) ?? nextOffset, to: nextOffset }
}
