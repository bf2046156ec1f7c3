import { randomUUID } from 'node:crypto'
import { createClient } from './client.js'
import type { PlimsollClient } from './session.js'
import { handleClientRejections } from './session/guard-session.js'
import { type Credential, connectChannel } from './transport/gateway-channel.js'
import type { ClientSettings } from './transport/link.js'
import { shielded } from './transport/trace.js'

export type { Credential } from './transport/gateway-channel.js'

export interface GatewayClientOptions extends ClientSettings {
  /** Of the gateway, such as `http://127.0.0.1:9465`; `https:` where something in front of it speaks TLS. */
  readonly url: string
  /** An API key of one of the gateway's principals, or what gives a token of its OIDC issuer: asked before each connection. */
  readonly credential: Credential
  /**
   * Whether texts stay here. The gateway sees them where it is left out, makes fingerprints of them, and forgets them. A host that has the
   * `fingerprintKey` sees them itself, and sends none; of an agent the gateway believes no fingerprints.
   */
  readonly redact?: boolean
  /** Told of each connection that was lost or could not be made; another is tried. */
  readonly onDisconnect?: (error: unknown) => void
}

/**
 * Connects a client to a gateway: no broker has to be in reach. Sessions' ids begin with the gateway's name for who connects. Where the
 * connection is lost, another is made, what was not answered is asked again, and until then the fail modes answer. Rejects with
 * `config_invalid`, `unauthenticated`, `forbidden`, `gateway_unavailable` and `document_invalid`.
 *
 * @example
 * import { connectGateway } from '@plimsoll/client/gateway'
 *
 * const client = await connectGateway({ url: 'http://127.0.0.1:9465', credential: process.env.GATEWAY_KEY ?? '' })
 * const session = await client.startSession({ category: 'research_comms', task: 'Ask Ann when she can come' })
 * const mail = { tool: 'send_email', arguments: { to: 'ann@example.com', body: 'When can you come?' } }
 * await session.run(mail, ({ to, body }) => sendEmail(to, body))
 * await session.end('completed')
 * await client.close()
 */
export async function connectGateway(options: GatewayClientOptions): Promise<PlimsollClient> {
  const { url, credential, redact = false, onDisconnect, ...settings } = options
  const onLost = shielded('onDisconnect', onDisconnect)
  const channel = await connectChannel({ url, credential, onLost })
  const { trust, sessionPrefix } = channel.welcome
  const hasSeen = settings.fingerprintKey !== undefined && trust === 'host'
  try {
    const client = await createClient({
      ...settings,
      channel: { ...channel, takesTexts: !redact && !hasSeen },
    })
    const whole = (id: string) => (id.startsWith(sessionPrefix) ? id : sessionPrefix + id)
    return handleClientRejections({
      ...client,
      startSession: ({ id = randomUUID(), ...reported } = {}) =>
        client.startSession({ ...reported, id: whole(id) }),
      resumeSession: (resumed) => client.resumeSession({ ...resumed, id: whole(resumed.id) }),
      close: async () => {
        try {
          await client.close()
        } finally {
          await channel.close()
        }
      },
    })
  } catch (error) {
    await channel.close()
    throw error
  }
}
