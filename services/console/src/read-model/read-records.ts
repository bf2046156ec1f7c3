import {
  type Decision,
  type Event,
  type Signed,
  INTERNAL_EVENTS,
  decisionSchema,
  eventSchema,
  isSignedBy,
  parseJson,
  tenantOf,
} from '@plimsoll/contracts'
import type { LogRecord } from '@plimsoll/runtime'
import type { Change, Position } from '../store/changes.js'
import { changeOfEvent } from './changes-of-event.js'

const positionOf = ({ offset, timeMs }: LogRecord): Position => ({ offset: Number(offset), timeMs })

const isInternal = (event: Event): event is Extract<Event, Signed> =>
  INTERNAL_EVENTS.some((type) => type === event.type)

/**
 * Reads records of the events topic. Anyone with access to the topic can write there: records that every monitor refuses (no events, of
 * another session than their key, internal ones without the deployment's signature) change nothing.
 *
 * @param signingKey without it signatures are not checked
 */
export function createEventReader(signingKey: string | undefined): (record: LogRecord) => readonly Change[] {
  return (record) => {
    const { data: event } = eventSchema.safeParse(parseJson(record.value))
    if (!event || event.sessionId !== record.key) return []
    if (isInternal(event) && signingKey !== undefined && !isSignedBy(event, signingKey)) return []
    const change = changeOfEvent(event, positionOf(record))
    return change ? [change] : []
  }
}

/** Reads a record of the decisions topic. */
export function readDecision(record: LogRecord): readonly Change[] {
  const { data: decision } = decisionSchema.safeParse(parseJson(record.value))
  if (!decision || decision.sessionId !== record.key || decision.tenant !== tenantOf(decision.sessionId))
    return []
  const position = positionOf(record)
  const decided = { ...position, kind: 'decided', decision } as const
  return decision.kind === 'alert' ? [decided, alertOf(decision, position)] : [decided]
}

const alertOf = ({ id, sessionId, reasons, time }: Decision, position: Position): Change => ({
  ...position,
  timeMs: Math.min(time, position.timeMs),
  kind: 'note',
  sessionId,
  id,
  type: 'alert',
  text: reasons.map(({ message }) => message).join('; '),
})
