import { type SessionState, createSessionState, encodeState } from '@plimsoll/engine'
import type { RecordWrite } from '@plimsoll/runtime'

/** The state of a session that has just started, with the fields of `over`, for tests. */
export const sampleState = (over: Partial<SessionState> = {}): SessionState => ({
  ...createSessionState(PINS, 'research', '', 1_000),
  ...over,
})
const PINS = { bundle: 'b'.repeat(32), policy: 'c'.repeat(32), catalogue: 'd'.repeat(32) }

/** The write that stores it, as the record of `id`. */
export const sampleWrite = (id: string, over: Partial<SessionState> = {}): RecordWrite => ({
  id,
  expected: 0,
  body: `17 ${encodeState(sampleState(over))}`,
  outbox: '',
  ttlMs: 60_000,
})
