import { randomBytes } from 'node:crypto'
import { type PlimsollClient, createClient } from '@plimsoll/client'
import {
  type Documents,
  type Topics,
  PlimsollError,
  decisionSchema,
  parseJson,
  topicsOf,
} from '@plimsoll/contracts'
import { type FleetDecision, type SubmitReview, createPauses, runFleet } from '@plimsoll/fleet'
import { disclosuresOf } from '@plimsoll/policy'
import type { Recorder } from '@plimsoll/proof'
import {
  type EventLog,
  type HttpOptions,
  type HttpServer,
  type OnRelease,
  createLogger,
  isAddressInUse,
  serveHttp,
} from '@plimsoll/runtime'
import { createEmbeddedLineages, createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import {
  type Output,
  catalogueOption,
  defineCommand,
  flag,
  integer,
  json,
  noFlag,
  text,
} from '../../command.js'
import { decisionLine, decisionLegend } from '../../format/decision-line.js'
import { type Tally, countsTable, createTally, p50AndP99 } from '../../format/tally.js'
import { aborted, readRules, within } from '../../deployment.js'
import { connectText, nextText, ownDecision, requestText } from '../../format/own-agent.js'
import { jsonLine } from '../../format/text.js'
import { ownCommand } from '../../own-command.js'
import { type OwnConsole, createPatientReviewer, startOwnConsole } from '../../own-console.js'
import { type OwnMonitor, createReviewer, startOwnMonitor } from '../../own-monitor.js'
import { startOwnProof } from '../proof/own-proof.js'
import { type OwnGateway, startOwnGateway } from './own-gateway.js'

export interface FleetPlan {
  readonly seed: number
  /** 0: none. Default: without end. */
  readonly sessions: number | undefined
  readonly concurrency: number
  readonly pauseMs: number
}

/** Where decisions are shown. */
export interface Screen {
  readonly output: Output
  readonly colour: boolean
}

/** The row of the totals for the reader's own agents. */
const OWN = 'you'

/** Shows and counts each decision on a step of agents at the gateway, from now on. */
async function watchOwnAgents(
  { log, topics, gateway }: Stack,
  tally: Tally,
  { output, colour }: Screen,
  plimsoll: string,
): Promise<void> {
  const sessions = new Set<string>()
  await log.tail(topics.decisions, ({ value }) => {
    const { data } = decisionSchema.safeParse(parseJson(value))
    const own = data && ownDecision(data)
    if (!own) return
    if (!sessions.has(own.sessionId)) tally.session(OWN)
    sessions.add(own.sessionId)
    if (own.kind === 'step') tally.step(OWN, own.verdict)
    output.write(decisionLine(own, { colour }))
    if (own.expiresAt !== undefined) output.write(requestText(own, gateway, plimsoll))
  })
}

/** Runs the fleet to its end or the abort, and shows each decision and the totals. */
export async function watchFleet(
  stack: Stack,
  plan: FleetPlan,
  screen: Screen,
  signal: AbortSignal,
  tally = createTally(),
) {
  const { client, submitReview, decisionMicros } = stack
  const { seed, concurrency, pauseMs, sessions } = plan
  const failure = new AbortController()
  const fleet = runFleet({
    client,
    name: 'fleet',
    seed,
    concurrency,
    pace: createPauses(pauseMs),
    ...(sessions !== undefined && { sessions }),
    signal: AbortSignal.any([signal, failure.signal]),
    submitReview,
    statesEvidence: false,
    onSession: ({ scenario }) => tally.session(scenario.category),
    onDecision: (decision) => note(decision, tally, screen),
  })
  try {
    await Promise.race([sessions === 0 ? aborted(signal) : fleet, stack.failed])
  } finally {
    failure.abort()
  }
  return summaryOf(tally, p50AndP99(decisionMicros))
}

function note(
  { answer, answers, performance }: FleetDecision,
  tally: Tally,
  { output, colour }: Screen,
): void {
  const { verdict, tool, decision } = answer
  if (answers === 'proposal') tally.step(performance.scenario.category, verdict)
  if (decision) output.write(decisionLine(decision, { colour }))
  else output.write(`${verdict}: no decision came on ${tool} of ${performance.sessionId}\n`)
}

function summaryOf(tally: Tally, decisionMicros: { readonly p50: number; readonly p99: number }) {
  const { p50, p99 } = decisionMicros
  const total = tally.total()
  const byCategory = tally.byName()
  const table = countsTable('category', byCategory, total)
  const took = total.steps
    ? `deciding took ${p50} µs for half of the decisions, at most ${p99} µs for 99 of 100\n`
    : ''
  return {
    figures: { ...total, byCategory, decisionMicros },
    text: `\n${table}\n${took}\n${nextText(process.cwd())}`,
  }
}

/** Serves on the wanted port, or on a free one if it is taken, and says so. */
export async function serveOnFreePort(options: HttpOptions, stderr: Output): Promise<HttpServer> {
  try {
    return await serveHttp(options)
  } catch (error) {
    if (!isAddressInUse(error)) throw error
    stderr.write(`port ${options.port} is taken; a free one is used\n`)
    return serveHttp({ ...options, port: 0 })
  }
}

/** Records kept of a partition: no reader goes far back here. */
const RETENTION_RECORDS_MAX = 10_000

const PARTITIONS = 4

/** Everything between an agent and its verdict, in this process. */
export interface Stack extends OwnMonitor {
  readonly log: EventLog
  readonly topics: Topics
  readonly client: PlimsollClient
  readonly http: HttpServer
  readonly gateway: OwnGateway
  /** Undefined where none is wanted, or none can run. */
  readonly console: OwnConsole | undefined
  readonly submitReview: SubmitReview
}

/** Of what is served; 0 for any that is free. */
export interface StackPorts {
  readonly metrics: number
  readonly gateway: number
  /** Undefined: no page is served. */
  readonly console: number | undefined
}

export async function startStack(
  ports: StackPorts,
  stderr: Output,
  onRelease: OnRelease,
  documents: Documents,
  proofFolder?: string,
): Promise<Stack> {
  const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
  const log = createEmbeddedLog({ logger, retentionRecordsMax: RETENTION_RECORDS_MAX })
  onRelease(() => log.close())
  const store = createEmbeddedStore()
  onRelease(() => store.close())
  const topics = topicsOf()
  // Only this process can write to this log: keys may end with it.
  const signingKey = randomBytes(32).toString('hex')
  const identityKey = randomBytes(32).toString('hex')
  const group = 'plimsoll-monitor'
  const own = await startOwnMonitor({
    log,
    store,
    topics,
    group,
    partitions: PARTITIONS,
    logger,
    signingKey,
    identity: { keys: [identityKey], isRequired: true },
    documents: [documents],
  })
  const { monitor, metrics } = own
  let recorder: Recorder | undefined
  // After the last decision, and before the log ends.
  onRelease(() => recorder?.close())
  onRelease(() => recorder?.drain())
  onRelease(() => monitor.close())
  if (proofFolder !== undefined) {
    const proof = { log, topics, folder: proofFolder, signingKey, identityKey, metrics, logger }
    recorder = await startOwnProof(proof)
  }
  await monitor.started
  const http = await serveOnFreePort(
    { port: ports.metrics, metrics, notReady: () => monitor.notReady() },
    stderr,
  )
  onRelease(() => http.close())
  const fingerprintKey = randomBytes(32)
  // What the page shows stays in this process.
  const everything = ports.console === undefined ? [] : [{ tools: ['*'], arguments: ['*'] }]
  const disclose = [...disclosuresOf(documents.policy), ...everything]
  const reading = { catalogue: documents.catalogue, disclose }
  const keys = { fingerprintKey, identityKey }
  const client = await createClient({ log, topics, ...keys, ...reading, principal: 'plimsoll up' })
  onRelease(() => client.close())
  const served = {
    log,
    topics,
    port: ports.gateway,
    client: { ...keys, ...reading },
    lineages: createEmbeddedLineages(),
    metrics,
    logger,
    signingKey,
  }
  const gateway = await startOwnGateway(served, stderr)
  onRelease(() => gateway.close())
  const console =
    ports.console === undefined
      ? undefined
      : await startOwnConsole(
          { log, topics, port: ports.console, signingKey, metrics, logger },
          documents,
          stderr,
        )
  if (console) onRelease(() => console.close())
  const closing = new AbortController()
  onRelease(async () => closing.abort())
  const submitReview = await createPatientReviewer(
    log,
    topics,
    createReviewer(log, topics.events, signingKey),
    () => (console?.readers() ?? 0) > 0,
    closing.signal,
  )
  return { ...own, log, topics, client, http, gateway, console, submitReview }
}

/** Each of the forty scenarios, once. */
const SESSIONS_ONCE = 40

/** Slow enough to read. */
const LIVE = { concurrency: 4, pauseMs: 600 } as const
const ONCE = { concurrency: 8, pauseMs: 0 } as const

export const up = defineCommand({
  name: 'up',
  summary: 'runs everything in this process, with a live fleet of simulated agents',
  description:
    'Log, session store, monitor, gateway, console and metrics in one process; your agents can connect with the key that it prints. Simulated agents work on the forty tasks of `plimsoll fleet`, obey the verdicts, and simulated humans answer approval requests. Nothing is kept. Ends on Ctrl-C.',
  options: {
    once: flag('plays every scenario once, without pauses, and ends'),
    json,
    gateway: integer('N', 'port of the gateway; 0 for any that is free', {
      min: 0,
      max: 65_535,
      default: 9465,
    }),
    console: integer('N', 'port of the page; 0 for any that is free', { min: 0, max: 65_535, default: 9466 }),
    port: integer('N', 'port of the metrics; 0 for any that is free', { min: 0, max: 65_535, default: 9464 }),
    seed: integer('N', 'seed of the tasks and of what agents do', { min: 0, max: 2 ** 32 - 1, default: 1 }),
    fleet: noFlag('plays no simulated agents: only yours are shown'),
    sessions: integer('N', 'ends after so many sessions', { min: 1, max: 1_000_000 }),
    policy: text('FILE', 'the policy; default: the shipped one'),
    catalogue: catalogueOption,
    proof: text('DIR', 'records proofs there, as `plimsoll proof record` does; the folder must not have any'),
  },
  examples: [
    ['', 'a fleet to watch, on a page that opens with the printed address'],
    ['--no-fleet', 'your own agents alone'],
    ['--once --json', 'the totals, for a script'],
    ['--port 0 --seed 7 --sessions 20', 'twenty other sessions'],
  ],
  async run(options, _, { env, stdout, stderr, signal }) {
    const { once, json, gateway, port, seed, fleet, sessions } = options
    // Nobody could look before it ends.
    const ports = { metrics: port, gateway, console: once ? undefined : options.console }
    if (!fleet && (once || sessions !== undefined))
      throw new PlimsollError(
        'usage_invalid',
        '`--no-fleet` goes without `--once` and `--sessions`, which count simulated sessions',
      )
    const output = json ? stderr : stdout
    const documents = await readRules(options)
    const { horizon } = documents.bundle
    const screen = { output, colour: output.isTerminal && (env.NO_COLOR ?? '') === '' }
    const summary = await within(async (onRelease) => {
      const stack = await startStack(ports, stderr, onRelease, documents, options.proof)
      if (stack.console) output.write(`page at ${stack.console.address} (works once)\n`)
      output.write(`metrics at ${stack.http.url}/metrics\n`)
      output.write(`agents at ${stack.gateway.url} with GATEWAY_KEY=${stack.gateway.apiKey}\n\n`)
      if (!once) output.write(connectText(stack.gateway.url, stack.gateway.apiKey, fleet))
      output.write(decisionLegend(horizon, screen))
      const tally = createTally()
      await watchOwnAgents(stack, tally, screen, ownCommand(env, process.cwd()))
      const pace = once ? ONCE : LIVE
      const count = fleet ? (sessions ?? (once ? SESSIONS_ONCE : undefined)) : 0
      return watchFleet(stack, { ...pace, seed, sessions: count }, screen, signal, tally)
    })
    stdout.write(json ? jsonLine(summary.figures) : summary.text)
    return 0
  },
})
