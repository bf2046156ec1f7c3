import { randomUUID } from 'node:crypto'
import { createClient } from './client.js'
import { type OptionNames, assertOptions } from './options.js'
import type { PlimsollClient } from './session.js'
import { type Credential, connectChannel } from './transport/gateway-channel.js'
import { type ClientSettings, CLIENT_SETTINGS, NOT_OF_CLIENTS } from './transport/link.js'
import { shielded } from './transport/trace.js'
import { handleRejections } from './wait.js'

export type { Credential } from './transport/gateway-channel.js'

export interface GatewayClientOptions extends ClientSettings {
  /** Of the gateway, such as `http://127.0.0.1:9465`, or `https:` behind a TLS proxy. */
  readonly url: string
  /** An API key of a principal, or a function that returns a token of the gateway's OIDC issuer, called before each connection. */
  readonly credential: Credential
  /**
   * Whether texts stay in this process. By default the gateway reads them, reports fingerprints and forgets them. A host that has the
   * `fingerprintKey` reads them itself and sends none. The gateway accepts no fingerprints from an agent.
   */
  readonly redact?: boolean
  /** Called for each connection that was lost or could not be made; it is retried. */
  readonly onDisconnect?: (error: unknown) => void
}

const GATEWAY_OPTIONS: OptionNames<GatewayClientOptions> = {
  ...CLIENT_SETTINGS,
  url: true,
  credential: true,
  redact: true,
  onDisconnect: true,
}

/**
 * Connects a client to a gateway, without a broker. Session ids start with the principal's prefix. After a lost connection the client
 * reconnects and proposes open steps again; meanwhile the fail modes answer. Rejects with
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
  assertOptions('connectGateway', options, GATEWAY_OPTIONS, { instead: NOT_OF_CLIENTS })
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
    return handleRejections<PlimsollClient>({
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
