import { eventSchema, type Decision, parseJson } from '@plimsoll/contracts'
import { partitionOf, type EventLog, type Logger } from '@plimsoll/runtime'

type Log = Pick<EventLog, 'describe' | 'offsetAt' | 'read'>
export type Arguments = Readonly<Record<string, unknown>>

/** Most events searched, starting with the same append time. */
const LOOKED_THROUGH_MAX = 128n

/**
 * Finds the arguments of a decision's step in its event, by the append time in the decision. Undefined if the event has none or cannot be
 * read; never rejects.
 */
export function createArgumentsFinder(
  log: Log,
  topic: string,
  logger: Logger,
): (decision: Pick<Decision, 'sessionId' | 'eventId' | 'time'>) => Promise<Arguments | undefined> {
  let partitions: number | undefined
  return async ({ sessionId, eventId, time }) => {
    try {
      partitions ??= (await log.describe(topic))?.length
      if (partitions === undefined) return undefined
      const partition = partitionOf(sessionId, partitions)
      const from = await log.offsetAt(topic, partition, time)
      if (from === undefined) return undefined
      let found: Arguments | undefined
      const ranges = [{ partition, from, to: from + LOOKED_THROUGH_MAX }]
      await log.read(
        topic,
        ({ key, value }) => {
          if (key === sessionId) found ??= argumentsIn(value, eventId)
        },
        { ranges },
      )
      return found
    } catch (error) {
      logger.warn('the arguments of a step cannot be read; its tool is judged by name', { error })
      return undefined
    }
  }
}

function argumentsIn(value: Buffer | null, eventId: string): Arguments | undefined {
  const parsed = eventSchema.safeParse(parseJson(String(value)))
  if (parsed.data?.type !== 'step.proposed' || parsed.data.id !== eventId) return undefined
  return parsed.data.arguments
}
