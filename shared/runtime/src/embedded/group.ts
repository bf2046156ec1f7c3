import type { Need } from './topic.js'

export interface GroupMember {
  /** Told of the partitions it has from now on; those it had before it has no more unless they are among them. */
  assign(partitions: readonly number[]): void
}

/** The members of a consumer group and what they have committed. Each change of the members shares the partitions out anew. */
export interface Group {
  join(member: GroupMember): void
  leave(member: GroupMember): void
  /** The offset after the last one done; undefined where nothing was committed yet. */
  committed(partition: number): number | undefined
  commit(partition: number, nextOffset: number): void
  memberCount(): number
  readonly need: Need
}

export function createGroup(partitionCount: number): Group {
  const members: GroupMember[] = []
  const committed = new Map<number, number>()
  const rebalance = () => {
    for (const [i, member] of members.entries()) {
      const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)
      member.assign(partitions.filter((partition) => partition % members.length === i))
    }
  }
  return {
    join: (member) => {
      members.push(member)
      rebalance()
    },
    leave: (member) => {
      const at = members.indexOf(member)
      if (at < 0) return
      members.splice(at, 1)
      member.assign([])
      rebalance()
    },
    committed: (partition) => committed.get(partition),
    commit: (partition, nextOffset) => {
      committed.set(partition, nextOffset)
    },
    memberCount: () => members.length,
    need: (partition) => (members.length > 0 ? (committed.get(partition) ?? 0) : undefined),
  }
}
