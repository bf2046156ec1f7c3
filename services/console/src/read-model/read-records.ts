import type { Decision } from '@plimsoll/contracts'
import { type LogRecord, decisionIn, eventIn } from '@plimsoll/runtime'
import type { Change, Position } from '../store/changes.js'
import { changeOfEvent } from './changes-of-event.js'

const positionOf = ({ offset, timeMs }: LogRecord): Position => ({ offset: Number(offset), timeMs })

/**
 * Reads records of the events topic. What every monitor refuses changes nothing.
 *
 * @param signingKey without it signatures are not checked
 */
export function createEventReader(signingKey: string | undefined): (record: LogRecord) => readonly Change[] {
  return (record) => {
    const event = eventIn(record, signingKey)
    const change = event && changeOfEvent(event, positionOf(record))
    return change ? [change] : []
  }
}

/** Reads a record of the decisions topic. */
export function readDecision(record: LogRecord): readonly Change[] {
  const decision = decisionIn(record)
  if (!decision) return []
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
