import type { Answer } from '@plimsoll/client'

/**
 * Calls of one session that wait for a human while no request of theirs is under way. Each is taken by one request alone: an approval is
 * for one call.
 */
export interface Pending {
  /** Whoever calls again with these arguments hears what the queue says. */
  awaitQueue(digest: string, answer: Answer): void
  /** Whoever brings the question's own state back hears what its user said. */
  awaitUser(answer: Answer): void
  /** `digest` is asked for where anything waits. */
  takeQueued(digest: () => string): Answer | undefined
  takeAsked(callId: string): Answer | undefined
}

export function createPending(max: number): Pending {
  // By the digest of what is queued, and by the call of what a user is asked; the oldest first.
  const waiting = new Map<string, Answer>()

  function add(key: string, answer: Answer): void {
    waiting.delete(key)
    waiting.set(key, answer)
    if (waiting.size <= max) return
    for (const oldest of waiting.keys()) if (waiting.delete(oldest)) return
  }

  function take(key: string): Answer | undefined {
    const answer = waiting.get(key)
    waiting.delete(key)
    return answer
  }

  return {
    awaitQueue: (digest, answer) => add(`queue ${digest}`, answer),
    awaitUser: (answer) => add(`user ${answer.callId}`, answer),
    takeQueued: (digest) => (waiting.size === 0 ? undefined : take(`queue ${digest()}`)),
    takeAsked: (callId) => take(`user ${callId}`),
  }
}
