import type { SessionRow } from '../../../src/api.js'

/** A running session of one step, for tests. */
export const sampleRow = (id: string, more: Partial<SessionRow> = {}): SessionRow => ({
  id,
  tenant: 'default',
  startedAt: 0,
  lastAt: 0,
  ended: false,
  steps: 1,
  verdicts: { allow: 1, warn: 0, confirm: 0, block: 0 },
  band: 0,
  violations: 0,
  withoutVerdict: 0,
  openQuestions: 0,
  ...more,
})
