import { PlimsollError } from '@plimsoll/contracts'
import type { PartitionInfo, ReadRange } from './event-log.js'

/** What is still to be read of a partition: `from` inclusive, `to` exclusive. */
export interface ReadSpan {
  readonly from: bigint
  readonly to: bigint
}

/**
 * What `ranges`, or all of the topic, come to in a topic that lies as `partitions` say; nothing of what is empty. Throws `log_unavailable`
 * for a topic or partition that is not there.
 */
export function spansOf(
  topic: string,
  partitions: readonly PartitionInfo[] | undefined,
  ranges: readonly ReadRange[] = (partitions ?? []).map(({ partition }) => ({ partition })),
): Map<number, ReadSpan> {
  if (!partitions) throw new PlimsollError('log_unavailable', `there is no topic \`${topic}\``)
  const spans = ranges.map(({ partition, from = 0n, to }) => {
    const info = partitions.find((each) => each.partition === partition)
    if (!info) throw new PlimsollError('log_unavailable', `topic \`${topic}\` has no partition ${partition}`)
    const { firstOffset, nextOffset } = info
    const span = {
      from: from > firstOffset ? from : firstOffset,
      to: to !== undefined && to < nextOffset ? to : nextOffset,
    }
    return [partition, span] as const
  })
  const byPartition = new Map(spans)
  if (byPartition.size < spans.length) throw new RangeError('expected one range a partition')
  return new Map(spans.filter(([, { from, to }]) => from < to))
}
