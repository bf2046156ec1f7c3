import { topicsOf, type Topics } from '@plimsoll/contracts'
import type { EventLog, LogRecord, OutgoingRecord } from '@plimsoll/runtime'

/** How a client's events get to the monitors, and their decisions back to it. */
export interface Channel {
  /**
   * Whether events are to go with the texts that they speak of; where they are not, a start still goes with its user. Where it is left out
   * nothing goes beside an event.
   */
  readonly takesTexts?: boolean
  /** Sends events, those of a session in the order given. Resolves once none can be lost; where it rejects, the same are sent again. */
  send(records: readonly ChannelRecord[]): Promise<void>
  /**
   * Gives every decision that is published from now on and may be the client's. Resolves when none can be missed; where some may have
   * been all the same, for a connection was lost, `onMissed` is told once there is another one.
   */
  listen(onRecord: (record: DecisionRecord) => void, onMissed: () => void): Promise<Listening>
}

/** An event as it travels and, beside it, the JSON of its `EventTexts` where the channel takes them. */
export interface ChannelRecord extends OutgoingRecord {
  readonly texts?: string
}

/** A decision as it travels: its session's id, and its JSON. */
export type DecisionRecord = Pick<LogRecord, 'key' | 'value'>

export interface Listening {
  close(): Promise<void>
}

/** Straight to the log that the monitors read. */
export function createLogChannel(
  log: Pick<EventLog, 'produce' | 'tail'>,
  topics: Topics = topicsOf(),
): Channel {
  return {
    send: (records) => log.produce(topics.events, records),
    listen: (onRecord) => log.tail(topics.decisions, onRecord),
  }
}
