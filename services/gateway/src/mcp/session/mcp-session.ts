import { randomBytes } from 'node:crypto'
import type { Answer, PlimsollClient, Session } from '@plimsoll/client'
import type { Principal } from '../../auth/principals-file.js'
import type { LineageScope } from '../../lineage/lineage.js'

/**
 * Calls of one session that wait for a human while no request of theirs is under way. Each is taken by one request alone: an approval is
 * for one call.
 */
export interface Pending {
  /** Anyone who calls again with these arguments hears what the queue says. */
  awaitQueue(digest: string, answer: Answer): void
  /** Anyone who brings the question's own state back hears what its user said. */
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

/** One session, with what the proxy keeps of it. */
export interface McpSession {
  readonly session: Session
  /** What a later request shows to go on with the session; to be guessed by nobody. */
  readonly token: string
  readonly principal: Principal
  readonly client: PlimsollClient
  readonly pending: Pending
  /** When it was last used, milliseconds since 1970. */
  usedAt: number
  /** Calls of it that are under way. */
  calls: number
}

/** What a session is told when it starts. */
export interface Beginning {
  /** As the MCP client calls itself. */
  readonly agent: string | undefined
  readonly task: string | undefined
  readonly user: string | undefined
  /** The host's own name for it. */
  readonly conversation: string | undefined
}

export interface McpSessionOptions {
  readonly clientOf: (principal: Principal, scope?: LineageScope) => Promise<PlimsollClient>
  readonly now: () => number
  readonly pendingMax: number
}

export async function openMcpSession(
  principal: Principal,
  { agent, task, user, conversation }: Beginning,
  { clientOf, now, pendingMax }: McpSessionOptions,
): Promise<McpSession> {
  // A connection can get lost, and its gateway too: what comes back is the same user's, who is not to find it all forgotten.
  const client = await clientOf(principal, { user, conversation })
  const { category } = principal
  const session = await client.startSession({
    ...(category !== undefined && { category }),
    ...(agent !== undefined && { agent }),
    ...(user !== undefined && principal.trust === 'host' && { user }),
    // What an agent says that its user wants would vouch for all that is named in it.
    ...(task !== undefined && principal.trust === 'host' && { task }),
  })
  const token = randomBytes(24).toString('base64url')
  return { session, token, principal, client, pending: createPending(pendingMax), usedAt: now(), calls: 0 }
}

/** A client's name as ids are written; undefined where nothing of it is left. */
export function agentId(name: string | undefined): string | undefined {
  const id = name
    ?.replaceAll(/[^A-Za-z0-9._:/@+=~-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 160)
  return id === '' ? undefined : id
}
