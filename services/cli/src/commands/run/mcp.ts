import path from 'node:path'
import { type PlimsollClient, createGuard } from '@plimsoll/client'
import { connectGateway } from '@plimsoll/client/gateway'
import { connectClient } from '@plimsoll/client/kafka'
import { type Catalogue, PlimsollError } from '@plimsoll/contracts'
import {
  type ApprovalQueue,
  type Approve,
  type LineageScope,
  type ServerReview,
  type ServersDocument,
  type ToolReview,
  SERVER_NAME,
  createFilePins,
  createLineage,
  createMcpProxy,
  createMemoryPins,
  passedOn,
  readServersFile,
  reviewTools,
  serveMcpStdio,
  serverOfCommand,
  serverOfUrl,
  withLineage,
} from '@plimsoll/gateway'
import { readCatalogue } from '@plimsoll/policy'
import {
  type Logger,
  type OnRelease,
  createLogger,
  fingerprintSettings,
  kafkaSettings,
  noMetrics,
  parseConfig,
  systemClock,
} from '@plimsoll/runtime'
import { createFolderLineages } from '@plimsoll/runtime/embedded'
import { kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import {
  type Context,
  type Values,
  catalogueOption,
  choice,
  defineCommand,
  environmentOf,
  flag,
  json,
  list,
  noFlag,
  requiredText,
  text,
} from '../../command.js'
import { gatewayKeySettings } from '../../approval-places.js'
import { createRecorder, decisionsFile } from '../../decisions-file.js'
import { createLocalApprovals, createLocalQueue, localQueueFolder } from '../../local-queue.js'
import { createKeptApprovals, keptFolder } from '../../kept-approvals.js'
import { aborted, configOf, readRules, unlessAborted, within } from '../../deployment.js'
import { jsonLine, plainLines, shellWord } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { readUserKey, stateFolderOf, stateSettings } from '../../user-state.js'
import { headerVariables } from '../documents/tools-from.js'

/** Where verdicts come from: this process, a gateway, or monitors that read from Kafka. */
export const WAYS = ['here', 'gateway', 'kafka'] as const
export type Way = (typeof WAYS)[number]

/** Settings for verdicts from a gateway. */
const gatewaySettings = { ...fingerprintSettings, ...gatewayKeySettings }

const logSettings = { ...kafkaSettings, ...fingerprintSettings }

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
  const { policy, catalogues, env, observes, record, servers, onRelease } = options
  const documents = await readRules({ policy, catalogue: catalogues })
  const recorder = record === undefined ? undefined : createRecorder(record)
  onRelease(async () => recorder?.close())
  const lineages = path.join(stateFolderOf(env), 'lineages')
  const guard = await createGuard({
    documents,
    mode: observes ? 'observe' : 'enforce',
    fingerprintKey: await readUserKey(lineages),
    ...(recorder && { onDecision: recorder.add }),
  })
  onRelease(() => guard.close())
  const kept = createKeptApprovals(keptFolder(env)).of(servers)
  const approve: Approve = async (answer, { isToKeep = false, ...approval }, offered) => {
    await guard.approve(answer, approval)
    if (isToKeep) await kept.keep(answer, offered, approval.by)
  }
  const requests = createLocalQueue(localQueueFolder(env))
  const queue = createLocalApprovals(requests, approve, kept.find, ownCommand(env))
  onRelease(() => queue.close())
  // A client that has several servers starts a proxy for each, and what one reads another must not send out.
  const store = createFolderLineages({ folder: lineages })
  const clientOf = (scope?: LineageScope) =>
    withLineage(guard, createLineage(USER, { store, clock: systemClock, scope }))
  return { clientOf, catalogue: documents.catalogue, approve, queue }
}

/** Whose sessions those of this machine are. */
const USER = { name: 'local', tenant: 'default', trust: 'host' } as const

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

const serverOptions = {
  servers: text('FILE.yaml', 'a file that lists several servers'),
  name: text('NAME', 'the name of the server; puts `NAME__` before its tools'),
  header: list('NAME=VARIABLE', 'with a URL: a header, and the variable that holds its value'),
  env: list(
    'NAME',
    'the command gets only these variables; default: all but those of Plimsoll (`PLIMSOLL_…`)',
  ),
}

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'guards MCP servers: judges every call of their tools',
  description:
    'Serves MCP (2025-11-25 and 2026-07-28) on its standard input and output, in place of the server that it starts. A blocked call gets the reason as its answer. A call that needs approval goes to the user of the client. If the client cannot ask, the call is answered at once, and `plimsoll approve` answers the request; the same call then runs. It withholds tools whose definition has changed since the approval, and says so on stderr. The connection is the session; what it reads counts for an hour in the other sessions of this user, so that one server cannot send out what another has read.',
  operands: [['[COMMAND...]', 'after `--`, the command of one server, or its URL']],
  options: {
    ...serverOptions,
    decide: choice(
      WAYS,
      'where verdicts come from: this process, a gateway, or the monitors that read from Kafka',
      'here',
    ),
    pins: text('FILE.json', 'keeps the approved definitions; default: only while it runs'),
    approvedOnly: flag(
      'withholds servers that were never approved, instead of approving them at first sight',
    ),
    allowNew: flag(
      'offers tools that a server adds later at once, as unknown ones; changed tools are still withheld',
    ),
    user: noFlag('never asks the user of the client: for clients that are the agent itself'),
    observe: flag(
      'with `--decide here`: stops and asks nothing, and records what it would have done; `plimsoll observed` shows it',
    ),
    record: text(
      'FILE.jsonl',
      'with `--decide here`: adds every decision to this file, without texts of steps; with `--observe` by default the file that `plimsoll observed` reads',
    ),
    policy: text('FILE', 'with `--decide here`: the policy; default: the shipped one'),
    catalogue: catalogueOption,
  },
  environment: environmentOf(waySettings),
  examples: [
    ['-- npx -y @modelcontextprotocol/server-filesystem /srv', 'guards one server, in this process'],
    [
      '--header authorization=DOCS_TOKEN -- https://docs.example.com/mcp',
      'guards a server at a URL; the variable holds the value of the header',
    ],
    [
      '--observe -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'only records what it would stop or ask',
    ],
    ['--servers servers.yaml --pins pins.json', 'guards several servers'],
    ['--decide gateway --servers servers.yaml', 'by the verdicts of the fleet'],
  ],
  async run(options, command, { env, stderr, signal }) {
    const { decide, pins, policy, catalogue: catalogues, observe: observes } = options
    if (decide !== 'here' && (observes || options.record !== undefined))
      throw new PlimsollError(
        'usage_invalid',
        '`--observe` and `--record` are for `--decide here`; a fleet is observed with `plimsoll control mode observe`',
      )
    const record = options.record ?? (observes ? decisionsFile(env) : undefined)
    // With Kafka's credentials a server could write to the event log itself.
    const uses = decide === 'kafka' ? Object.values(logSettings).map((each) => each.env) : []
    const servers = await serversFrom({ ...options, command, environment: env, uses })
    // Standard output is the client's.
    const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
    await within(async (onRelease) => {
      const connecting = connect(decide, {
        policy,
        catalogues,
        observes,
        record,
        servers,
        env,
        logger,
        onRelease,
      })
      const way = await unlessAborted(connecting, signal, 'it ended before it was connected')
      const proxy = await createMcpProxy({
        servers,
        environment: env,
        pins: pins === undefined ? createMemoryPins() : createFilePins(pins),
        approvesFirst: !options.approvedOnly,
        allowsNew: options.allowNew,
        approveWith: approveCommandOf(options, command, ownCommand(env)),
        catalogue: way.catalogue,
        clientOf: async (_, scope) => way.clientOf(scope),
        queue: way.queue,
        ...(way.approve && { approve: way.approve }),
        logger,
        // As if the client had started them itself.
        onStderr: (text) => stderr.write(text),
        metrics: noMetrics,
      })
      onRelease(() => proxy.close())
      const principal = { ...USER, trust: options.user ? 'host' : 'agent' } as const
      const service = await serveMcpStdio({ proxy, principal, asksUser: options.user })
      onRelease(() => service.close())
      await Promise.race([service.closed, aborted(signal)])
    })
    return 0
  },
})

interface ServersFrom extends Values<typeof serverOptions> {
  /** The command of one server, its URL, or nothing. */
  readonly command: readonly string[]
  readonly environment: Context['env']
  /** Variables that are the proxy's own; default: those of Plimsoll. */
  readonly uses?: readonly string[]
}

/** The servers that a command line names. Rejects with `usage_invalid` and `document_invalid`. */
async function serversFrom(options: ServersFrom): Promise<ServersDocument> {
  const { command, servers: file, name, env, header, environment, uses } = options
  if (file !== undefined && command.length > 0)
    throw new PlimsollError('usage_invalid', 'give a file of servers or the command of one, not both')
  if (file !== undefined) return readServersFile(file)
  if (command.length === 0)
    throw new PlimsollError(
      'usage_invalid',
      'give a server: its command or URL after `--`, or `--servers FILE`',
    )
  const isUrl = command.length === 1 && /^https?:\/\//i.test(command[0] ?? '')
  if (header.length > 0 && !isUrl)
    throw new PlimsollError('usage_invalid', '`--header` is for a server at a URL')
  const server = isUrl
    ? serverOfUrl(command[0] ?? '', headerVariables(header))
    : serverOfCommand(command, env.length > 0 ? env : passedOn(environment, uses))
  const isNamed = name !== undefined
  if (isNamed && !SERVER_NAME.test(name))
    throw new PlimsollError('usage_invalid', '`--name`: expected 1–32 characters of a–z 0–9 -')
  return {
    schema: 1,
    kind: 'plimsoll.mcp-servers',
    requireLabels: false,
    servers: { [name ?? 'server']: { ...server, prefix: isNamed } },
  }
}

/** What may be a secret: it must not reach the model in an answer. */
const isSecretLike = (word: string): boolean =>
  /key|token|secret|passw|bearer/i.test(word) || /^(?=.*\d)[\w+=-]{20,}$/.test(word)

/** The command that approves the tools of the same servers; undefined without a file of pins. */
function approveCommandOf(
  { pins, servers, name, env, header }: Values<typeof serverOptions> & { readonly pins?: string | undefined },
  command: readonly string[],
  own: string,
): string | undefined {
  if (pins === undefined) return undefined
  const shown = command.map((word, at) =>
    isSecretLike(word) || isSecretLike(command[at - 1] ?? '') ? '…' : word,
  )
  const words = [
    'mcp',
    'approve',
    '--pins',
    path.resolve(pins),
    ...(servers === undefined ? [] : ['--servers', path.resolve(servers)]),
    ...(name === undefined ? [] : ['--name', name]),
    ...env.flatMap((each) => ['--env', each]),
    ...header.flatMap((each) => ['--header', each]),
    ...(shown.length > 0 ? ['--', ...shown] : []),
  ]
  return `${own} ${words.map(shellWord).join(' ')}`
}

export const mcpApprove = defineCommand({
  name: 'mcp approve',
  summary: 'shows what has changed in the tools of MCP servers, and approves them as they are now',
  description:
    'Starts each server, lists its tools and ends it; it calls none. Shows what is new, changed or gone since the approval, and writes the definitions to the file of pins. Running proxies with that file then offer them.',
  operands: [['[COMMAND...]', 'after `--`, the command of one server, or its URL']],
  options: {
    pins: requiredText('FILE.json', 'the file of approved definitions'),
    ...serverOptions,
    check: flag('approves nothing; exit code 1 if anything has changed'),
    json,
  },
  examples: [
    ['--pins pins.json --servers servers.yaml --check', 'what has changed'],
    ['--pins pins.json --servers servers.yaml', 'approves them as they are now'],
    [
      '--pins pins.json -- npx -y @modelcontextprotocol/server-filesystem /srv',
      'approves a server by its command',
    ],
  ],
  async run(options, command, { env: environment, stdout }) {
    const { pins, check, json } = options
    const all = await serversFrom({ ...options, command, environment })
    const store = createFilePins(pins)
    const reviews = await reviewTools({ servers: all, environment, pins: store, now: Date.now })
    if (!check) for (const review of reviews) await review.approve()
    stdout.write(
      json ? jsonLine(reviews.map(({ server, tools }) => ({ server, tools }))) : textOf(reviews, !check),
    )
    return check && reviews.some(isChanged) ? 1 : 0
  },
})

const isChanged = ({ tools }: ServerReview): boolean => tools.some(({ state }) => state !== 'approved')

function textOf(reviews: readonly ServerReview[], isApproved: boolean): string {
  const lines = reviews.flatMap((review) => {
    const { server, tools } = review
    const changes = tools.filter(({ state }) => state !== 'approved')
    const end = isApproved ? `${server}: ${tools.length - goneOf(tools)} tools approved` : undefined
    const none = changes.length === 0 && !isApproved ? `${server}: nothing has changed` : undefined
    return [...changes.map((tool) => lineOf(server, tool)), end, none].filter((line) => line !== undefined)
  })
  return plainLines(`${lines.join('\n')}\n`)
}

const goneOf = (tools: readonly ToolReview[]): number => tools.filter(({ state }) => state === 'gone').length

function lineOf(server: string, { tool, state, parts, description }: ToolReview): string {
  const what = parts.length > 0 ? `${state}: ${parts.join(', ')}` : state
  return `${server}  ${tool}  ${what}${description && `  ${description.split('\n')[0]?.slice(0, 120)}`}`
}
