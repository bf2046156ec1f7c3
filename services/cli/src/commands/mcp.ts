import { type PlimsollClient, createGuard } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import type { Catalogue } from '@plimsoll/contracts'
import {
  type Approve,
  createFilePins,
  createMcpProxy,
  createMemoryPins,
  serveMcpStdio,
} from '@plimsoll/gateway'
import { defaultDocuments, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  type Logger,
  type OnRelease,
  checkKafkaSettings,
  createLogger,
  fingerprintSettings,
  kafkaSettings,
  noMetrics,
  parseConfig,
  setting,
} from '@plimsoll/runtime'
import { kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { catalogueOption } from '../catalogue-option.js'
import { defineCommand, environmentOf } from '../command.js'
import { serversFrom } from '../mcp/servers.js'
import { within } from '../pipeline/own-monitor.js'

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

const serverOptions = {
  servers: { type: 'text', value: 'FILE.yaml', help: 'the servers, where there are several' },
  name: { type: 'text', value: 'NAME', help: 'puts `NAME__` before the tools of the command' },
  env: { type: 'list', value: 'NAME', help: 'a variable that the command is given from this environment' },
} as const

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'stands in front of MCP servers, and asks about every call of their tools',
  description: [
    'Speaks MCP on its standard input and output, of 2025-11-25 and of 2026-07-28, in place of the server that it starts. A call that may',
    'not run is answered with the reason; one that a human is to approve is put to the user of the client, or waits for the approval queue.',
    'A tool whose definition has changed since it was approved is withheld; stderr says so. The connection is the session.',
  ],
  operands: { name: 'COMMAND', help: 'after `--`, the command of one server', min: 0, max: 200 },
  options: {
    ...serverOptions,
    decide: {
      type: 'choice',
      choices: WAYS,
      help: 'where verdicts come from: this process, a gateway, or the monitors that read from Kafka',
      default: 'here',
    },
    pins: {
      type: 'text',
      value: 'FILE.json',
      help: 'keeps the definitions that were approved; for as long as it runs if left out',
    },
    'approved-only': {
      type: 'flag',
      help: 'withholds a server that was never approved, instead of taking it as it is at first sight',
    },
    'no-user': {
      type: 'flag',
      help: 'never asks the user of the client, for clients that are the agent itself',
    },
    policy: {
      type: 'text',
      value: 'FILE',
      help: 'the policy to decide by here; the shipped one if left out',
    },
    catalogue: catalogueOption,
  },
  environment: environmentOf(waySettings),
  examples: [
    ['-- npx -y @modelcontextprotocol/server-filesystem /srv', 'guards one server, alone'],
    ['--servers servers.yaml --pins pins.json', 'guards several under one roof'],
    ['--decide gateway --servers servers.yaml', 'by the verdicts of the fleet'],
  ],
  async run(options, command, { env, stderr, signal }) {
    const { servers: file, name, decide, pins, policy, catalogue: catalogues } = options
    const servers = await serversFrom({ command, file, name, env: options.env })
    // Standard output is the client's.
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    await within(async (onRelease) => {
      const way = await connect(decide, { policy, catalogues, env, logger, onRelease })
      const proxy = await createMcpProxy({
        servers,
        environment: env,
        pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
        approvesFirst: !options['approved-only'],
        catalogue: way.catalogue,
        clientOf: async () => way.client,
        hasQueue: way.hasQueue,
        ...(way.approve && { approve: way.approve }),
        logger,
        metrics: noMetrics,
      })
      onRelease(() => proxy.close())
      const asksUser = !options['no-user']
      const trust = asksUser ? 'host' : 'agent'
      const principal = { name: 'local', tenant: 'default', trust } as const
      const service = await serveMcpStdio({ proxy, principal, asksUser })
      onRelease(() => service.close())
      await Promise.race([service.closed, aborted(signal)])
    })
    return 0
  },
})

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
