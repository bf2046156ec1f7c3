import { PlimsollError } from '@plimsoll/contracts'

export function closedError(): PlimsollError {
  return new PlimsollError('closed', 'the client has been closed')
}

export function endedError(sessionId: string): PlimsollError {
  return new PlimsollError('session_ended', `session \`${sessionId}\` has ended`)
}

/** To its holder a forgotten session is an ended one: to begin it again at safe would be to forgive it all it has done. */
export function forgottenError(sessionId: string): PlimsollError {
  return new PlimsollError(
    'session_ended',
    `session \`${sessionId}\` was idle for too long and has been let go`,
  )
}

export function startedError(sessionId: string): PlimsollError {
  return new PlimsollError('session_already_started', `session \`${sessionId}\` was started before`)
}

export function fullError(limit: string, max: number): PlimsollError {
  return new PlimsollError('queue_full', `\`${limit}\` (${max}) is reached`, { details: { limit, max } })
}
