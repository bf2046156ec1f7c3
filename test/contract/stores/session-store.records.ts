import type { RecordWrite, SessionStore } from '@plimsoll/runtime'

/** Adds a test of the contract: `run` gets a store of its own, and an id that no other test uses. */
export type It = (what: string, run: (store: SessionStore, id: string) => Promise<void>) => void

export const T = 1_700_000_000_000

let partitions = 0
/** A partition that no other test uses. */
export const freshPartition = (): number => 10 * ++partitions

export function write(id: string, expected: number, body: string, outbox = ''): RecordWrite {
  return { id, expected, body, outbox, ttlMs: 60_000 }
}
