import type { Evidence, Reason } from '@plimsoll/contracts'

/** Whether a step blocked for `reasons` tried to send sensitive data. */
export const holdsSession = (reasons: readonly Reason[], evidence: Evidence): boolean =>
  evidence === 'present' &&
  reasons.some(
    ({ source, verdict, liftedBy }) => source === 'line' && verdict === 'block' && liftedBy === undefined,
  )

/** Of a step that may send something, in a session that tried to send sensitive data before. */
export const heldReason = (): Reason => ({
  source: 'line',
  code: 'outgoing_after_blocked',
  verdict: 'confirm',
  message: HELD,
})

const HELD =
  'this session tried to send sensitive data before: every step that may send needs approval until the session is declassified'
