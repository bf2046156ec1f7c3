import { parseDecisionId } from '@plimsoll/contracts'
import type { AppealGiven } from '../changes.js'
import { type Writer, textOf, touchStep } from './writer.js'

export function writeAppeal(writer: Writer, change: AppealGiven): void {
  const { sessionId, id, offset, timeMs, decisionId, callId, tool, verdict, expected, reasons, by } = change
  const isNew = writer.database.run(
    `insert into appeals (session_id, id, p_offset, at, decision_id, call_id, tool, verdict, expected, reasons, by_name, reason)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    sessionId,
    id,
    offset,
    timeMs,
    decisionId,
    callId,
    tool,
    verdict,
    expected,
    JSON.stringify(reasons),
    by,
    textOf(change.reason),
  )
  const eventId = parseDecisionId(decisionId)?.eventId
  if (isNew > 0 && eventId !== undefined) touchStep(writer, sessionId, eventId)
}
