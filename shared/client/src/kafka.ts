import { topicsOf } from '@plimsoll/contracts'
import type { Logger } from '@plimsoll/runtime'
import { type KafkaConnection, createKafkaLog } from '@plimsoll/runtime/kafka'
import { createClient } from './client.js'
import { type OptionNames, assertOptions } from './options.js'
import type { PlimsollClient } from './session.js'
import { type ClientSettings, CLIENT_SETTINGS, NOT_OF_CLIENTS } from './transport/link.js'
import { handleRejections } from './wait.js'

export interface ConnectOptions extends ClientSettings, KafkaConnection {
  /** Prefix of topic names. Default: `plimsoll`. */
  readonly topicPrefix?: string
  /** Logs connection problems. */
  readonly logger?: Logger
}

const CONNECT_OPTIONS: OptionNames<ConnectOptions> = {
  ...CLIENT_SETTINGS,
  brokers: true,
  ssl: true,
  sasl: true,
  clientId: true,
  topicPrefix: true,
  logger: true,
}

/**
 * Connects a client to the monitors through Kafka; its `close` disconnects. For trusted hosts. Rejects with
 * `config_invalid`, `log_unavailable` and `document_invalid`.
 *
 * @example
 * import { connectClient } from '@plimsoll/client/kafka'
 *
 * const client = await connectClient({ brokers: ['127.0.0.1:9092'] })
 * const session = await client.startSession({ category: 'research_comms' })
 * const answer = await session.propose({ tool: 'send_email', arguments: { to: 'ann@example.com' } })
 * if (answer.mayRun) await session.complete(answer)
 * await session.end('completed')
 * await client.close()
 */
export async function connectClient(options: ConnectOptions): Promise<PlimsollClient> {
  assertOptions('connectClient', options, CONNECT_OPTIONS, { instead: NOT_OF_CLIENTS })
  const { brokers, ssl, sasl, clientId = 'plimsoll-client', topicPrefix, logger, ...settings } = options
  const log = createKafkaLog({
    brokers,
    clientId,
    ...(ssl !== undefined && { ssl }),
    ...(sasl && { sasl }),
    ...(logger && { logger }),
  })
  try {
    const client = await createClient({ ...settings, log, topics: topicsOf(topicPrefix) })
    const close = async () => {
      try {
        await client.close()
      } finally {
        await log.close()
      }
    }
    return handleRejections<PlimsollClient>({ ...client, close })
  } catch (error) {
    await log.close()
    throw error
  }
}
