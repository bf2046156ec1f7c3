import type { RecordWrite, SessionStore } from '@plimsoll/runtime'
import type { SessionEvent, ValidEvent, ValidatedRecord } from '../records/validate.js'
import type { Folded } from './fold.js'

/** The sessions of a chunk with their events, in log order. */
export type Sessions = ReadonlyMap<string, readonly SessionEvent[]>

export function bySession(admitted: readonly ValidatedRecord[]): Map<string, ValidEvent[]> {
  const sessions = new Map<string, ValidEvent[]>()
  for (const each of admitted) {
    if (each.kind !== 'event') continue
    const events = sessions.get(each.event.sessionId)
    if (events) events.push(each)
    else sessions.set(each.event.sessionId, [each])
  }
  return sessions
}

/** What became of the writes of one round trip. */
export interface Stored {
  /** Sessions whose write was refused, because another owner was faster. */
  readonly refused: string[]
  /** Whether `last` was stored, where there was one. */
  readonly isLastStored: boolean
}

/**
 * Stores what was `folded`, and `last` behind it, in one round trip. What is stored, or had nothing to store, goes into `done`.
 */
export async function storeFolded(
  store: SessionStore,
  folded: ReadonlyMap<string, Folded>,
  last: RecordWrite | undefined,
  done: Map<string, Folded>,
): Promise<Stored> {
  const writes: RecordWrite[] = []
  for (const { write } of folded.values()) if (write) writes.push(write)
  const sessions = writes.length
  if (last) writes.push(last)
  const answers = writes.length > 0 ? await store.compareAndSet(writes) : []
  const isRefused = new Set<string>()
  for (let i = 0; i < sessions; i++) {
    const id = writes[i]?.id
    if (id !== undefined && answers[i] !== true) isRefused.add(id)
  }
  for (const [id, each] of folded) if (!isRefused.has(id)) done.set(id, each)
  return { refused: [...isRefused], isLastStored: last === undefined || answers[sessions] === true }
}
