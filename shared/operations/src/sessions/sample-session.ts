import { encodeState, type SessionState } from '@plimsoll/engine'
import type { RecordWrite } from '@plimsoll/runtime'

/** The state of a session that has just started, with the fields of `over`, for tests. */
export const sampleState = (over: Partial<SessionState> = {}): SessionState => ({
  ended: false,
  held: false,
  codeWritten: false,
  filesMayHold: false,
  secretWritten: false,
  asked: 0,
  looksOnly: false,
  delegates: false,
  sendsForOther: false,
  delegated: false,
  approvals: [],
  pins: { bundle: 'b'.repeat(32), policy: 'c'.repeat(32), catalogue: 'd'.repeat(32) },
  category: 'research',
  agent: '',
  safety: 0,
  level: 0,
  taint: 0,
  band: 0,
  steps: 0,
  blocked: 0,
  violations: 0,
  withoutVerdict: 0,
  time: 1_000,
  producers: [],
  recent: [],
  calls: [],
  sources: '',
  own: '',
  limits: '',
  payees: '',
  history: [],
  conduct: [],
  bucket: 0,
  refined: [],
  leftState: -1,
  memory: [],
  ...over,
})

/** The write that stores it, as the record of `id`. */
export const sampleWrite = (id: string, over: Partial<SessionState> = {}): RecordWrite => ({
  id,
  expected: 0,
  body: `17 ${encodeState(sampleState(over))}`,
  outbox: '',
  ttlMs: 60_000,
})
