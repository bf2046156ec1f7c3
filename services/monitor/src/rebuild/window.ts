import { PlimsollError } from '@plimsoll/contracts'
import type { EventLog } from '@plimsoll/runtime'
import type { Progress } from '../records/progress.js'

/** The part of a partition to replay: from `from` (inclusive) to the next offset of its group. */
export interface Window {
  readonly from: bigint
  /** Whether nothing before it could affect the state to store. */
  readonly isWhole: boolean
}

export interface WindowOptions {
  readonly topic: string
  readonly partition: number
  /** Next offset of the group: exclusive. */
  readonly upTo: bigint
  /** Append time at `upTo`. */
  readonly timeMs: number
  /** Progress of the store, undefined if it has none. */
  readonly reached: Progress | undefined
  readonly idleTtlMs: number
  readonly recordsMax: number
}

/**
 * From the store's progress; without any, back to the idle time of sessions. At most `recordsMax` records, and what retention has left.
 * Source: docs/decisions/20261122-rebuild.md.
 */
export async function windowOf(log: EventLog, options: WindowOptions): Promise<Window> {
  const { topic, partition, upTo, timeMs, reached, idleTtlMs, recordsMax } = options
  const firstOffset = await firstOffsetOf(log, topic, partition)
  const earliest = later(firstOffset, upTo - BigInt(recordsMax))
  if (reached) {
    const from = later(earliest, reached.offset + 1n)
    return { from, isWhole: from === reached.offset + 1n }
  }
  const remembered = await log.offsetAt(topic, partition, Math.max(0, timeMs - idleTtlMs))
  const from = later(earliest, remembered === undefined || remembered > upTo ? upTo : remembered)
  return { from, isWhole: from === 0n }
}

export async function firstOffsetOf(log: EventLog, topic: string, partition: number): Promise<bigint> {
  const described = await log.describe(topic)
  const info = described?.find((each) => each.partition === partition)
  if (!info) throw new PlimsollError('log_unavailable', `no partition ${partition} of topic \`${topic}\``)
  return info.firstOffset
}

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)
