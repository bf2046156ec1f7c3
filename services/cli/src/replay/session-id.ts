import { digestOf } from '@plimsoll/contracts'

const LENGTH_MAX = 160
const MARK_LENGTH = 17

/** The session that replays a trace in a run: the same for the same two, within what ids may be, and telling where it comes from. */
export function sessionIdOf(run: string, traceId: string): string {
  const id = `${run}/${traceId.replaceAll(/[^A-Za-z0-9._:/@+=~-]/g, '_')}`
  if (id.length <= LENGTH_MAX && id.endsWith(traceId)) return id
  // Two ids that were made alike, or cut alike, must not meet.
  return `${id.slice(0, LENGTH_MAX - MARK_LENGTH)}~${digestOf(traceId).slice(0, MARK_LENGTH - 1)}`
}
