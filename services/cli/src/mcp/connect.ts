import { createGuard, type PlimsollClient } from '@plimsoll/client'
import { connectClient } from '@plimsoll/client/kafka'
import type { Catalogue } from '@plimsoll/contracts'
import type { Approve } from '@plimsoll/gateway'
import { defaultDocuments, readDocument } from '@plimsoll/policy'
import {
  checkKafkaSettings,
  fingerprintSettings,
  kafkaSettings,
  parseConfig,
  type Logger,
  type OnRelease,
} from '@plimsoll/runtime'
import { kafkaConnectionOf } from '@plimsoll/runtime/kafka'

/** Where verdicts come from: this process, or monitors that read from Kafka. */
export const WAYS = ['here', 'kafka'] as const
export type Way = (typeof WAYS)[number]

/** What is read from the environment where verdicts come from monitors. */
export const waySettings = { ...kafkaSettings, ...fingerprintSettings }

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
  readonly catalogue: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  readonly onRelease: OnRelease
}

/** Connects to whatever decides. Rejects with `document_invalid`, `config_invalid` and `log_unavailable`. */
export const connect = (way: Way, options: ConnectOptions): Promise<Connected> =>
  way === 'here' ? decideHere(options) : overKafka(options)

async function decideHere({ policy, catalogue, onRelease }: ConnectOptions): Promise<Connected> {
  const shipped = await defaultDocuments()
  const documents = {
    ...shipped,
    ...(policy !== undefined && { policy: await readDocument('policy', policy) }),
    ...(catalogue !== undefined && { catalogue: await readDocument('catalogue', catalogue) }),
  }
  const guard = await createGuard({ documents })
  onRelease(() => guard.close())
  const approve: Approve = async (answer, approval) => void (await guard.approve(answer, approval))
  return { client: guard, catalogue: documents.catalogue, approve, hasQueue: false }
}

async function overKafka({ catalogue: file, env, logger, onRelease }: ConnectOptions): Promise<Connected> {
  const config = parseConfig(waySettings, env, { prefixes: [], checks: [checkKafkaSettings] })
  const catalogue = await readDocument('catalogue', file)
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
