import { setImmediate as nextTurn } from 'node:timers/promises'
import { trackBatch } from '../ports/batch-progress.js'
import type { ConsumeOptions, Consumption } from '../ports/event-log.js'
import { type Backoff, createBackoff, pause } from '../timing.js'
import type { GroupMember, Topic } from './topic.js'

export interface ConsumptionLimits {
  readonly batchRecordsMax: number
  readonly redeliveryMsMax: number
}

/** Joins `options.group` of `topic`. Each assigned partition has a lane: a loop over one batch at a time. */
export function startConsumption(
  topic: Topic,
  options: ConsumeOptions,
  limits: ConsumptionLimits,
): Consumption {
  const group = topic.group(options.group)
  const lanes = new Map<number, Promise<void>>()
  const closing = new AbortController()
  let assignment = new AbortController()
  let closed: Promise<void> | undefined

  const runLane = async (partition: number, assigned: AbortSignal): Promise<void> => {
    const backoff = createBackoff({ maxMs: limits.redeliveryMsMax })
    const over = AbortSignal.any([assigned, closing.signal])
    while (!over.aborted) {
      const log = topic.partitions[partition]
      if (!log) return
      await log.whenBeyond(group.committed(partition) ?? 0, over)
      // A separate turn, so that it never runs in the middle of a producer or another partition.
      await nextTurn()
      if (!over.aborted) await deliver(partition, assigned, backoff, over)
    }
  }

  const deliver = async (partition: number, assigned: AbortSignal, backoff: Backoff, over: AbortSignal) => {
    const log = topic.partitions[partition]
    const records = log?.read(group.committed(partition) ?? 0, limits.batchRecordsMax) ?? []
    if (!log || records.length === 0) return
    const progress = trackBatch({
      topic: topic.name,
      partition,
      records,
      endOffset: BigInt(log.nextOffset()),
      isHeld: () => !assigned.aborted,
      isWanted: () => !closing.signal.aborted,
      commit: async (offset) => group.commit(partition, Number(offset) + 1),
    })
    try {
      await options.onBatch(progress.batch)
    } catch (error) {
      options.onError?.(error)
    }
    if (progress.hasBegun()) backoff.reset()
    if (!progress.isDone()) await pause(backoff.next(), over)
  }

  const member: GroupMember = {
    assign: (partitions) => {
      assignment.abort()
      assignment = new AbortController()
      const { signal } = assignment
      for (const partition of partitions) {
        const before = lanes.get(partition) ?? Promise.resolve()
        lanes.set(
          partition,
          before.then(() => runLane(partition, signal)),
        )
      }
      if (!closing.signal.aborted) setImmediate(() => options.onAssigned?.(partitions))
    },
  }
  const close = async () => {
    closing.abort()
    await Promise.all(lanes.values())
    group.leave(member)
  }
  group.join(member)
  return {
    isRunning: () => !closing.signal.aborted,
    close: () => (closed ??= close()),
  }
}
