import type { RecordWrite, SessionStore } from '@plimsoll/runtime'
import type { SessionEvent, ValidEvent, ValidatedRecord } from '../records/validate.js'
import type { Folded } from './fold.js'

/** The sessions of a chunk with their events, in log order. */
export type Sessions = ReadonlyMap<string, readonly SessionEvent[]>

/** A part of a partition's log, with its sessions. */
export interface Chunk {
  readonly partition: number
  readonly first: bigint
  readonly last: bigint
  /** Append time of the first record, and the latest of all. */
  readonly firstTimeMs: number
  readonly latestTimeMs: number
  /** False once another monitor owns the partition. */
  readonly isOwned: () => boolean
  readonly sessions: Sessions
}

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

/** Result of the writes of one round trip. */
export interface Stored {
  /** Sessions whose write was refused, because another owner wrote first. */
  readonly refused: string[]
  /** Whether `last` was stored; true without one. */
  readonly isLastStored: boolean
}

/** Stores `folded`, and then `last`, in one round trip. Adds to `done` what was stored or had nothing to store. */
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
