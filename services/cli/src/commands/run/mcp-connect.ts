import path from 'node:path'
import { type PlimsollClient, createGuard } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import type { Catalogue } from '@plimsoll/contracts'
import {
  type ApprovalQueue,
  type Approve,
  type LineageScope,
  type ServersDocument,
  createLineage,
  withLineage,
} from '@plimsoll/gateway'
import { readCatalogue } from '@plimsoll/policy'
import {
  type Logger,
  type OnRelease,
  fingerprintSettings,
  kafkaSettings,
  parseConfig,
  systemClock,
} from '@plimsoll/runtime'
import { createFolderLineages } from '@plimsoll/runtime/embedded'
import { kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { gatewayKeySettings } from '../../approval-places.js'
import { createRecorder, createStoppedRecorder, stoppedFile } from '../../decisions-file.js'
import { configOf, readRules } from '../../deployment.js'
import {
  type FindApproval,
  createLocalApprovals,
  createLocalQueue,
  localQueueFolder,
} from '../../local-queue.js'
import { ownCommand } from '../../own-command.js'
import { keptApprovals, readUserKey, stateFolderOf, stateSettings } from '../../user-state.js'
import { toolOrigins } from './tool-origin.js'

/** Where verdicts come from: this process, a gateway, or monitors that read from Kafka. */
export const WAYS = ['here', 'gateway', 'kafka'] as const
export type Way = (typeof WAYS)[number]

/** Settings for verdicts from a gateway. */
const gatewaySettings = { ...fingerprintSettings, ...gatewayKeySettings }

export const logSettings = { ...kafkaSettings, ...fingerprintSettings }

/** Settings for verdicts from a gateway or from monitors. */
export const waySettings = {
  ...logSettings,
  ...gatewaySettings,
  ...stateSettings,
  apiKey: { ...gatewaySettings.apiKey, isRequired: false },
}

export interface Connected {
  /** The client of sessions of a user and conversation. */
  readonly clientOf: (scope?: LineageScope) => PlimsollClient
  readonly catalogue: Catalogue
  /** Applies the answer of the MCP client's user; only verdicts of this process need no key for it. */
  readonly approve?: Approve
  /** Where humans answer approval requests who are not the client's user. */
  readonly queue: ApprovalQueue
}

export interface ConnectOptions {
  readonly policy: string | undefined
  /** Files that add to those that ship. */
  readonly catalogues: readonly string[]
  /** For verdicts of this process: every step runs. */
  readonly observes: boolean
  /** For verdicts of this process: the file that every decision is added to. */
  readonly record: string | undefined
  readonly servers: ServersDocument
  /** For verdicts of this process: how long what a session has read counts for later ones, milliseconds. Default: an hour. */
  readonly keepMs?: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logger: Logger
  readonly onRelease: OnRelease
}

/** Connects to the place that decides. Rejects with `document_invalid`, `config_invalid` and `log_unavailable`. */
export const connect = (way: Way, options: ConnectOptions): Promise<Connected> => CONNECTS[way](options)

const CONNECTS: Readonly<Record<Way, (options: ConnectOptions) => Promise<Connected>>> = {
  here: decideHere,
  gateway: overGateway,
  kafka: overKafka,
}

async function decideHere(options: ConnectOptions): Promise<Connected> {
  const { policy, catalogues, env, observes, record, servers, keepMs, onRelease } = options
  const documents = await readRules({ policy, catalogue: catalogues })
  const recorder = record === undefined ? undefined : createRecorder(record)
  onRelease(async () => recorder?.close())
  const stopped = createStoppedRecorder(stoppedFile(env))
  onRelease(stopped.close)
  const lineages = path.join(stateFolderOf(env), 'lineages')
  const guard = await createGuard({
    documents,
    mode: observes ? 'observe' : 'enforce',
    fingerprintKey: await readUserKey(lineages),
    onDecision: (decision) => {
      recorder?.add(decision)
      stopped.add(decision)
    },
  })
  onRelease(() => guard.close())
  const kept = keptApprovals(env)
  const originOf = toolOrigins(servers)
  const approve: Approve = async (answer, { isToKeep = false, ...approval }, offered) => {
    await guard.approve(answer, approval)
    if (isToKeep) await kept.keep(answer, originOf(offered), approval.by)
  }
  const requests = createLocalQueue(localQueueFolder(env))
  const find: FindApproval = (answer, offered) => kept.find(answer, originOf(offered))
  const queue = createLocalApprovals(requests, approve, find, ownCommand(env))
  onRelease(() => queue.close())
  // A client that has several servers starts a proxy for each, and what one reads another must not send out.
  const store = createFolderLineages({ folder: lineages })
  if (keepMs !== undefined) await store.dropExpired()
  const clientOf = (scope?: LineageScope) =>
    withLineage(guard, createLineage(USER, { store, clock: systemClock, scope, keepMs }))
  return { clientOf, catalogue: documents.catalogue, approve, queue }
}

/** Whose sessions those of this machine are. */
export const USER = { name: 'local', tenant: 'default', trust: 'host' } as const

/** The monitors keep open requests. */
const OVER_LOG: ApprovalQueue = { add: async () => {} }

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
  return { clientOf: () => client, catalogue, queue: OVER_LOG }
}

async function overKafka({ catalogues, env, logger, onRelease }: ConnectOptions): Promise<Connected> {
  const config = configOf(logSettings, env)
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
  return { clientOf: () => client, catalogue, queue: OVER_LOG }
}
