import { createGuard, type PlimsollClient } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import type { Catalogue } from '@plimsoll/contracts'
import type { Approve } from '@plimsoll/gateway'
import { defaultDocuments, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  checkKafkaSettings,
  fingerprintSettings,
  kafkaSettings,
  parseConfig,
  setting,
  type Logger,
  type OnRelease,
} from '@plimsoll/runtime'
import { kafkaConnectionOf } from '@plimsoll/runtime/kafka'

/** Where verdicts come from: this process, a gateway, or monitors that read from Kafka. */
export const WAYS = ['here', 'gateway', 'kafka'] as const
export type Way = (typeof WAYS)[number]

/** What is read from the environment where verdicts come from a gateway. */
const gatewaySettings = {
  ...fingerprintSettings,
  gatewayUrl: setting.url({
    env: 'PLIMSOLL_GATEWAY_URL',
    doc: 'Where the gateway is that decides.',
    protocols: ['http', 'https'],
    default: 'http://127.0.0.1:9465',
  }),
  apiKey: setting.text({
    env: 'PLIMSOLL_API_KEY',
    doc: 'Key of one of the principals of the gateway.',
    expects: 'printable characters without spaces',
    pattern: /^[\x21-\x7e]+$/,
    isSecret: true,
    required: true,
  }),
}

const logSettings = { ...kafkaSettings, ...fingerprintSettings }

/** What is read from the environment where verdicts come from elsewhere. */
export const waySettings = {
  ...logSettings,
  ...gatewaySettings,
  apiKey: { ...gatewaySettings.apiKey, isRequired: false },
}

export interface Connected {
  readonly client: PlimsollClient
  readonly catalogue: Catalogue
  /** Takes what the user of an MCP client says; only this process's own verdicts can be answered without a key. */
  readonly approve?: Approve
  /** Whether humans answer in a queue. */
  readonly hasQueue: boolean
}

export interface ConnectOptions {
  readonly policy: string | undefined
  /** Files that add to those that ship. */
  readonly catalogues: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  readonly onRelease: OnRelease
}

/** Connects to whatever decides. Rejects with `document_invalid`, `config_invalid` and `log_unavailable`. */
export const connect = (way: Way, options: ConnectOptions): Promise<Connected> => CONNECTS[way](options)

const CONNECTS: Readonly<Record<Way, (options: ConnectOptions) => Promise<Connected>>> = {
  here: decideHere,
  gateway: overGateway,
  kafka: overKafka,
}

async function decideHere({ policy, catalogues, onRelease }: ConnectOptions): Promise<Connected> {
  const shipped = await defaultDocuments()
  const documents = {
    ...shipped,
    ...(policy !== undefined && { policy: await readDocument('policy', policy) }),
    catalogue: await readCatalogue(catalogues),
  }
  const guard = await createGuard({ documents })
  onRelease(() => guard.close())
  const approve: Approve = async (answer, approval) => void (await guard.approve(answer, approval))
  return { client: guard, catalogue: documents.catalogue, approve, hasQueue: false }
}

async function overGateway({ catalogues, env, logger, onRelease }: ConnectOptions): Promise<Connected> {
  const { gatewayUrl: url, apiKey: credential, fingerprintKey } = parseConfig(gatewaySettings, env)
  const catalogue = await readCatalogue(catalogues)
  const client = await connectGateway({
    url,
    credential,
    catalogue,
    onDisconnect: (error) => logger.warn('the gateway is out of reach', { error }),
    ...(fingerprintKey !== undefined && { fingerprintKey }),
  })
  onRelease(() => client.close())
  return { client, catalogue, hasQueue: true }
}

async function overKafka({ catalogues, env, logger, onRelease }: ConnectOptions): Promise<Connected> {
  const config = parseConfig(logSettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  const catalogue = await readCatalogue(catalogues)
  const { fingerprintKey, topicPrefix } = config
  const client = await connectClient({
    ...kafkaConnectionOf(config),
    topicPrefix,
    catalogue,
    logger,
    ...(fingerprintKey !== undefined && { fingerprintKey }),
  })
  onRelease(() => client.close())
  return { client, catalogue, hasQueue: true }
}
