import {
  createClient,
  type ClientSettings,
  type PlimsollClient,
  type Session,
  type SessionOptions,
} from '@plimsoll/client'
import { PlimsollError } from '@plimsoll/contracts'
import type { Principal } from '../principals/principal.js'
import { withoutVouching } from './agent-session.js'
import { sessionIdOf } from './session-ids.js'
import type { OnDecision, Switchboard } from './switchboard.js'

/** A client for the sessions of one principal that are held in this process. */
export async function createPrincipalClient(
  principal: Principal,
  switchboard: Switchboard,
  settings: ClientSettings,
): Promise<PlimsollClient> {
  const claimed = new Set<string>()
  let line: OnDecision = () => {}
  const client = await createClient({
    ...settings,
    channel: {
      send: (records) => switchboard.send(records),
      listen: async (onRecord) => {
        line = onRecord
        return { close: async () => claimed.forEach((id) => switchboard.release(id, line)) }
      },
    },
  })

  function claim(id: string): void {
    claimed.add(id)
    switchboard.claim(id, line)
  }

  function letGo(id: string): void {
    claimed.delete(id)
    switchboard.end(id)
  }

  async function startSession(options: SessionOptions = {}): Promise<Session> {
    const id = sessionIdOf(principal, options.id)
    const isNew = !claimed.has(id)
    if (isNew) claim(id)
    try {
      const session = await client.startSession({ ...allowedOptions(principal, options), id })
      const told = principal.trust === 'agent' ? withoutVouching(session) : session
      return { ...told, end: (outcome) => session.end(outcome).then(() => letGo(id)) }
    } catch (error) {
      if (isNew) letGo(id)
      throw error
    }
  }

  return { ...client, startSession }
}

/** `options` as the principal may start a session. Throws `forbidden`. */
function allowedOptions({ name, trust, category }: Principal, options: SessionOptions): SessionOptions {
  // What a session hands over would say what its user has named himself, and nobody vouches for it.
  if (trust === 'agent' && options.parent && !('handover' in options.parent))
    throw new PlimsollError('forbidden', `\`${name}\` cannot say what another session knows: it is no host`)
  return category === undefined ? options : { ...options, category }
}
