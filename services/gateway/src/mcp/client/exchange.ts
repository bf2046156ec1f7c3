import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer } from '../rpc/peer.js'
import type { ClientIdentity } from '../upstream/link.js'
import { type Members, type RequestId, type Sent, LEGACY } from '../rpc/messages.js'

/** Requests to a client, by name: of its user (elicitation), its model (sampling), its roots. */
export type InputRequests = Readonly<Record<string, Sent>>
export type InputResponses = Readonly<Record<string, unknown>>

/** A request of a client in progress, the same for both eras. */
export interface Exchange extends Sent {
  readonly id: RequestId
  readonly params: Members
  readonly client: ClientIdentity
  readonly signal: AbortSignal
  /** What the client has sent for an earlier round of its server, if the proxy does not know that round. */
  readonly inputResponses?: unknown
  /** Whether the client wants to know of progress. */
  readonly wantsProgress: boolean
  /** Notifies the client in the stream of the request. Not awaited: a client that has gone aborts the signal. */
  notify(sent: Sent): void
  /** Reports progress under the client's token. */
  progress(progress: Members): void
  /** Asks the client; `meta` accompanies the questions where they are a result. Rejects if it cannot answer or does not in time. */
  ask(requests: InputRequests, meta?: Members): Promise<InputResponses>
}

/** Between two rounds of a server that waits for something else than its client. */
const PACE_MS = 1_000

/** How long a client's user may take, milliseconds. */
export const ASK_MS_MAX = 900_000

export interface LegacyRequest extends Sent {
  readonly id: RequestId
  readonly params: Members
  readonly signal: AbortSignal
}

/** A request over a connection of the 2025 era: questions are requests to the client. */
export function legacyExchange(request: LegacyRequest, client: ClientIdentity, peer: Peer): Exchange {
  const { id, method, params, signal } = request
  const progressToken = peer.progressTokenOf(params)
  const notify = (sent: Sent): void => void peer.notify(sent, id).catch(() => {})
  return {
    id,
    method,
    params,
    client,
    signal,
    wantsProgress: progressToken !== undefined,
    notify,
    progress: (progress) =>
      notify({ method: 'notifications/progress', params: { ...progress, progressToken } }),
    ask: async (requests) => {
      const names = Object.keys(requests)
      if (names.length === 0) await sleep(PACE_MS, undefined, { signal })
      const options = { signal, relatedTo: id, totalMs: ASK_MS_MAX }
      const answers = await Promise.all(
        Object.entries(requests).map(
          async ([name, sent]) => [name, await peer.request(sent, options)] as const,
        ),
      )
      return Object.fromEntries(answers)
    },
  }
}

export const isLegacy = ({ client }: Exchange): boolean => client.era === LEGACY
