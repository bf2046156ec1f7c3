import { PlimsollError } from '@plimsoll/contracts'

/** `log_unavailable` with `cause`, saying what was tried. A `PlimsollError` is passed on. */
export function logUnavailable(what: string, cause: unknown): PlimsollError {
  if (cause instanceof PlimsollError) return cause
  const type = typeOf(cause)
  const reason = reasonOf(cause)
  return new PlimsollError('log_unavailable', `${what}: ${reason}`, {
    cause,
    ...(type && { details: { type } }),
  })
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  // Of the making of several topics each has a reason of its own.
  const parts = 'errors' in cause && Array.isArray(cause.errors) ? cause.errors.map(reasonOf) : []
  return [cause.message, ...parts].join('; ')
}

/** Kafka's name of what went wrong, such as `MESSAGE_TOO_LARGE`, also where kafkajs has wrapped it. */
export function typeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('type' in error && typeof error.type === 'string') return error.type
  return typeOf(error.cause)
}

/** Answers of the group's coordinator that tell that this member's assignment is over. */
const ASSIGNMENT_OVER = new Set([
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'FENCED_INSTANCE_ID',
])

export const tellsAssignmentOver = (error: unknown): boolean => ASSIGNMENT_OVER.has(typeOf(error) ?? '')
