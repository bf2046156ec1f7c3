import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { type Answer, type PlimsollClient, createClient } from '@plimsoll/client'
import { type Catalogue, type Topics, digestOf, topicsOf } from '@plimsoll/contracts'
import type { ObserverPart } from '@plimsoll/labels'
import { type RuleFiles, checkMonitorSettings, identityOf, monitorSettings } from '@plimsoll/monitor'
import { type Disclosure, disclosuresOf, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  type Environment,
  type EventLog,
  type Logger,
  type OnRelease,
  consumerGroup,
  createLogger,
  parseConfig,
} from '@plimsoll/runtime'
import { createEmbeddedLog, createEmbeddedStore } from '@plimsoll/runtime/embedded'
import {
  type ToolLists,
  type ReadProgress,
  type Trace,
  blindOf,
  foldOf,
  noSessionError,
  readToolLists,
  readTraces,
} from '@plimsoll/fit'
import type { Context, Output } from '../../command.js'
import { openLog, openStore, within } from '../../deployment.js'
import { createProgress } from '../../format/progress.js'
import { type OwnMonitor, startOwnMonitor, whenRunning } from '../../own-monitor.js'
import { type ReplayFigures, createReplayReport } from './replay-report.js'

/** What lies between the replayed agents and their verdicts. */
interface Transport {
  readonly log: EventLog
  readonly topics: Topics
  /** Undefined if monitors that run already decide. */
  readonly own: OwnMonitor | undefined
  /** Proves who the clients are. */
  readonly identityKey: string | undefined
  /** The catalogue of the monitor's rules, by which the clients read texts. */
  readonly catalogue: Catalogue
  /** Arguments that the clients disclose: those that the monitor's policy reads. */
  readonly disclose: readonly Disclosure[]
}

interface TransportOptions {
  readonly via: 'embedded' | 'kafka'
  /** Whether a monitor of its own decides. */
  readonly hasMonitor: boolean
  /** The bundle of its own monitor: a file or the name of a shipped one; default: the one of the settings. */
  readonly model: string | undefined
}

async function openTransport(
  { via, hasMonitor, model }: TransportOptions,
  env: Environment,
  logger: Logger,
  onRelease: OnRelease,
): Promise<Transport> {
  const bundles = model === undefined ? {} : { bundles: [model] }
  if (via === 'embedded') {
    const log = createEmbeddedLog({ logger })
    onRelease(() => log.close())
    const store = createEmbeddedStore()
    onRelease(() => store.close())
    const topics = topicsOf()
    // Warnings are about deployments, such as one without a signing key.
    const quiet: Logger = { ...logger, warn: () => undefined }
    const setup = { group: 'plimsoll-replay', partitions: 4, logger: quiet, rules: bundles }
    const embedded = { log, store, topics, ...setup }
    const own = await startOwnMonitor(embedded)
    onRelease(() => own.monitor.close())
    return { log, topics, own, identityKey: undefined, ...(await clientDocuments({})) }
  }
  const config = parseConfig(monitorSettings, env, { checks: [checkMonitorSettings] })
  const { log, topics } = openLog(config, onRelease, logger)
  const { identityKey, partitions, replicas, signingKey } = config
  const rest = { log, topics, identityKey, ...(await clientDocuments(config)) }
  if (!hasMonitor) return { ...rest, own: undefined }
  const own = await startOwnMonitor({
    log,
    store: openStore(config, onRelease, logger),
    topics,
    group: consumerGroup(config.topicPrefix, 'monitor'),
    partitions,
    replicas,
    signingKey,
    identity: identityOf(config),
    logger,
    rules: { ...config, ...bundles },
  })
  onRelease(() => own.monitor.close())
  return { ...rest, own }
}

async function clientDocuments({
  catalogues,
  policies,
}: RuleFiles): Promise<Pick<Transport, 'catalogue' | 'disclose'>> {
  const [catalogue, policy] = await Promise.all([
    readCatalogue(catalogues?.slice(0, 1)),
    readDocument('policy', policies?.[0]),
  ])
  return { catalogue, disclose: disclosuresOf(policy) }
}

export interface Selection {
  readonly files: readonly string[]
  /** Sessions of this fold alone. */
  readonly fold: number | undefined
  readonly limit: number | undefined
}

/** The selected sessions, one at a time. Throws `traces_invalid` where the files hold none at all. */
export async function* selectTraces(
  { files, fold, limit = Infinity }: Selection,
  onProgress: (progress: ReadProgress) => void,
): AsyncGenerator<Trace, void, void> {
  let selected = 0
  let read = 0
  for await (const trace of readTraces(files, onProgress)) {
    read++
    if (fold !== undefined && foldOf(trace) !== fold) continue
    if (selected++ >= limit) return
    yield trace
  }
  if (read === 0) throw noSessionError(files)
}

/** Calls `play` with each trace, `concurrency` at a time; rejects with the first error once all calls have ended. */
export async function playAll(
  traces: AsyncGenerator<Trace, void, void>,
  concurrency: number,
  play: (trace: Trace) => Promise<void>,
): Promise<void> {
  const failure = new AbortController()
  const worker = async (): Promise<void> => {
    try {
      while (!failure.signal.aborted) {
        const next = await traces.next()
        if (next.done) return
        await play(next.value)
      }
    } catch (error) {
      failure.abort()
      throw error
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  await traces.return()
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

const LENGTH_MAX = 160
const MARK_LENGTH = 17

/** The id of the session that replays a trace in a run: stable, valid, and recognizable. */
export function sessionIdOf(run: string, traceId: string): string {
  const id = `${run}/${traceId.replaceAll(/[^A-Za-z0-9._:/@+=~-]/g, '_')}`
  if (id.length <= LENGTH_MAX && id.endsWith(traceId)) return id
  // Ids that became equal by replacing or cutting stay distinct.
  return `${id.slice(0, LENGTH_MAX - MARK_LENGTH)}~${digestOf(traceId).slice(0, MARK_LENGTH - 1)}`
}

/** How long a step waits for its verdict: long, since a backlog is no failure here. */
const TIMEOUT_MS = 60_000

export interface PlayOptions {
  readonly client: PlimsollClient
  readonly run: string
  readonly lists: ToolLists
  readonly signal: AbortSignal
  /** Gets each answer, and the milliseconds from the proposal to it. */
  readonly onAnswer: (trace: Trace, answer: Answer, latencyMs: number) => void
}

/**
 * Plays a recorded session: proposes every step, and completes those that may run with the recorded result. After a stopped step the
 * recorded agent continues. The client gets only what a client sees, no recorded truth.
 */
export async function playTrace(trace: Trace, options: PlayOptions): Promise<void> {
  const { client, run, lists, signal, onAnswer } = options
  const { category, task, tools, steps } = blindOf(trace, lists)
  const session = await client.startSession({
    id: sessionIdOf(run, trace.trace_id),
    agent: `replay/${trace.source}`,
    task,
    category,
    ...(tools && { tools }),
  })
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const began = performance.now()
    const answer = await session.propose(
      { tool, ...(description !== undefined && { description }), arguments: args, callId: `step-${i}` },
      { timeoutMs: TIMEOUT_MS, signal },
    )
    onAnswer(trace, answer, performance.now() - began)
    if (answer.mayRun) await session.complete(answer, { outcome: error ? 'error' : 'ok', result })
  }
  await session.end('completed')
}

interface ReplayPlan extends Selection, TransportOptions {
  readonly run: string
  /** What the client does not report of a step. */
  readonly without: readonly ObserverPart[]
}

const KEY_BYTES = 32
/** Within the process there is nobody to keep a key from. The same one chooses the same stretches of texts in every run. */
const OWN_KEY = 'recorded sessions, played in process'
/** Sessions at a time. */
const CONCURRENCY = 64

/**
 * Plays the selected sessions and counts. An abort ends it early with the counts so far. Rejects with fatal errors of the monitor, and with
 * `traces_invalid`.
 */
export function runReplay(plan: ReplayPlan, { env, stderr, signal }: Context): Promise<ReplayFigures> {
  // Every session waits on it.
  setMaxListeners(0, signal)
  const logger = createLogger({ level: 'warn', write: (line) => stderr.write(line) })
  return within(async (onRelease) => {
    const transport = await openTransport(plan, env, logger, onRelease)
    const { log, topics, own, identityKey, catalogue, disclose } = transport
    if (own) await whenRunning(own, signal)
    const lists = await readToolLists(plan.files)
    const client = await createClient({
      log,
      topics,
      catalogue,
      disclose,
      fingerprintKey: plan.via === 'embedded' ? OWN_KEY : randomBytes(KEY_BYTES),
      identityKey,
      principal: 'plimsoll replay',
      without: plan.without,
    })
    onRelease(() => client.close())
    const report = createReplayReport()
    const progress = followReplay(plan, report, stderr)
    const traces = selectTraces(plan, progress.read)
    const began = performance.now()
    const played = playAll(traces, CONCURRENCY, async (trace) => {
      progress.begun()
      await playTrace(trace, { ...plan, client, lists, signal, onAnswer: report.answer })
      report.session(trace)
      progress.ended()
    })
    await Promise.race([played, ...(own ? [own.failed] : [])]).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    progress.close()
    return report.figures((performance.now() - began) / 1000, own?.decisionMicros)
  })
}

/** The share of the work: of what has been read, the part that has been played. */
function followReplay({ limit }: ReplayPlan, report: ReturnType<typeof createReplayReport>, stderr: Output) {
  const bar = createProgress(stderr, 'replay')
  let shareRead = 0
  let begun = 0
  return {
    read: ({ bytesRead, bytesTotal }: { bytesRead: number; bytesTotal: number }) => {
      shareRead = bytesRead / bytesTotal
    },
    begun: () => void begun++,
    ended: () => {
      const sessions = report.sessions()
      const shareOfLimit = limit === undefined ? 0 : sessions / limit
      const share = Math.max(shareOfLimit, (shareRead * sessions) / begun)
      bar.update(share, `${sessions} sessions, ${report.steps()} steps`)
    },
    close: () => bar.end(),
  }
}
