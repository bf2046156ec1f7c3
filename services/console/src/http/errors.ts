import { type ErrorCode, PlimsollError } from '@plimsoll/contracts'
import type { FastifyInstance } from 'fastify'
import { AnsweredBefore } from '../answers/answer-question.js'
import type { ApiError } from '../api.js'

/** 500 for the others. */
const STATUSES: Partial<Record<ErrorCode, number>> = {
  schema_invalid: 400,
  usage_invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  arguments_unseen: 403,
  session_unknown: 404,
  approval_unknown: 404,
  approval_mismatch: 409,
  session_ended: 410,
  approval_expired: 410,
  event_oversize: 413,
  quota_exceeded: 429,
  queue_full: 429,
  closed: 503,
  log_unavailable: 503,
  store_unavailable: 503,
}

const statusOf = (error: PlimsollError): number =>
  error instanceof AnsweredBefore ? 409 : (STATUSES[error.code] ?? 500)

const bodyOf = (error: PlimsollError): ApiError => ({
  error: {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    ...(error instanceof AnsweredBefore && error.answered && { answered: error.answered }),
  },
})

/** Answers errors by the error catalogue, without internal details. */
export function answerErrors(app: FastifyInstance, onDefect: (error: unknown) => void): void {
  app.setErrorHandler((error, _request, reply) => {
    const shown = publicError(error, onDefect)
    return reply.status(statusOf(shown)).send(bodyOf(shown))
  })
  app.setNotFoundHandler((_request, reply) =>
    reply.status(404).send(bodyOf(new PlimsollError('schema_invalid', 'there is nothing at this address'))),
  )
}

function publicError(error: unknown, onDefect: (error: unknown) => void): PlimsollError {
  if (error instanceof PlimsollError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return new PlimsollError('event_oversize', 'the body is too large')
  if (status >= 400 && status < 500)
    return new PlimsollError('schema_invalid', error instanceof Error ? error.message : String(error))
  onDefect(error)
  return new PlimsollError('engine_failed', 'the console failed at this request')
}
