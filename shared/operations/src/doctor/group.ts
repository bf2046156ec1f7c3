import type { GroupInfo, PartitionInfo } from '@plimsoll/runtime'
import { type Finding, fail, ok, warn } from './redis.js'
import { counted } from './topics.js'

/** Records behind the end of a partition that are worth a look. */
const LAG_WARN = 10_000

/** Findings about the group of the monitors: its members and its lag. */
export function groupFindings(group: GroupInfo, partitions: readonly PartitionInfo[]): readonly Finding[] {
  return [members(group, partitions), ...positions(group, partitions), lag(group, partitions)]
}

function members({ members, owned }: GroupInfo, partitions: readonly PartitionInfo[]): Finding {
  const name = 'monitors'
  const orphans = partitions.filter(({ partition }) => !owned.has(partition))
  if (members === 0)
    return warn(name, `none: no partition of ${partitions.length} has an owner`, 'start `plimsoll monitor`')
  if (orphans.length > 0)
    return warn(
      name,
      `${counted(members, 'monitor')}, but none has partition ${orphans.map(({ partition }) => partition).join(', ')}`,
      'look again in a minute: a group that shares out its work takes seconds; where it stays, see what the monitors log',
    )
  if (members > partitions.length)
    return warn(
      name,
      `${members} for ${counted(partitions.length, 'partition')}: ${members - partitions.length} have nothing to do`,
      'run fewer monitors; a topic with more partitions is another topic',
    )
  return ok(name, `${counted(members, 'monitor')} for ${counted(partitions.length, 'partition')}`)
}

/** Positions that this log cannot have. */
function positions({ offsets }: GroupInfo, partitions: readonly PartitionInfo[]): Finding[] {
  return partitions.flatMap(({ partition, firstOffset, nextOffset }) => {
    const at = offsets.get(partition)
    if (at === undefined) return []
    const name = `position in partition ${partition}`
    if (at > nextOffset)
      return [
        fail(
          name,
          `${at}, beyond the end at ${nextOffset}: the topic was recreated`,
          'drain, clear the session store, start again',
        ),
      ]
    if (at < firstOffset)
      return [
        fail(
          name,
          `${at}, but the log begins at ${firstOffset}: ${firstOffset - at} events went unread`,
          'raise retention.ms; their sessions answer `session_state_lost` or `sequence_gap`',
        ),
      ]
    return []
  })
}

/** Records that are not judged yet, by partition. */
export function lagsOf(
  { offsets }: Pick<GroupInfo, 'offsets'>,
  partitions: readonly PartitionInfo[],
): readonly { readonly partition: number; readonly lag: bigint }[] {
  return partitions.map(({ partition, firstOffset, nextOffset }) => {
    const lag = nextOffset - (offsets.get(partition) ?? firstOffset)
    return { partition, lag: lag > 0n ? lag : 0n }
  })
}

function lag(group: GroupInfo, partitions: readonly PartitionInfo[]): Finding {
  const name = 'lag'
  const behind = lagsOf(group, partitions).filter(({ lag }) => lag > 0n)
  if (behind.length === 0) return ok(name, 'none')
  const worst = behind.toSorted((a, b) => Number(b.lag - a.lag))
  const shown = worst.slice(0, 5).map(({ partition, lag }) => `${lag} in partition ${partition}`)
  const what = `${shown.join(', ')}${worst.length > 5 ? `, and ${worst.length - 5} more` : ''}`
  if ((worst[0]?.lag ?? 0n) < LAG_WARN) return ok(name, what)
  return warn(name, what, 'look again in a minute: where it grows, add monitors or see what theirs log')
}
