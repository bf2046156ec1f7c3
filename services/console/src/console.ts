import { type Documents, type Topics, topicsOf } from '@plimsoll/contracts'
import {
  type Clock,
  type EventLog,
  type Logger,
  type Metrics,
  type OnRelease,
  consumerGroup,
  listen,
  systemClock,
  withReleasers,
} from '@plimsoll/runtime'
import { createAppealStep } from './answers/appeal-step.js'
import { createAnswers } from './answers/answer-question.js'
import type { LoginCodes } from './auth/codes.js'
import type { UsersDocument } from './auth/users.js'
import { openFleetControls } from './controls/fleet-controls.js'
import type { AppealsQuery } from './http/route.js'
import { createFindDocument } from './controls/policies.js'
import { createServer } from './http/server.js'
import { createCountsCache } from './http/counts-cache.js'
import { createLiveFeed } from './live/live-feed.js'
import { createPublishApplied } from './live/publish-applied.js'
import { type ConsoleMetrics, createConsoleMetrics } from './metrics.js'
import { type ReadModel, startReadModel } from './read-model/read-model.js'
import { openReadStore } from './store/libsql/store.js'
import type { Applied, ReadStore, RetentionLimits, SessionQuery } from './store/read-store.js'

/** Reports of partitions come together: pages hear of them at most so often, milliseconds. */
const CONTROLS_MS = 200

/** A catch-up has many parts: pages fetch everything again at most so often, milliseconds. */
const SKIP_MS = 1_000

/** The database keeps no more steps of one session, notes, and questions that wait no more. */
const STEPS_OF_SESSION_MAX = 5_000
const NOTES_OF_SESSION_MAX = 1_000
const CLOSED_OF_SESSION_MAX = 1_000

export const RETENTION: RetentionLimits = {
  ageMaxMs: 7 * 86_400_000,
  sessionsMax: 20_000,
  stepsOfSessionMax: STEPS_OF_SESSION_MAX,
  notesOfSessionMax: NOTES_OF_SESSION_MAX,
  closedOfSessionMax: CLOSED_OF_SESSION_MAX,
}

export interface ConsoleOptions {
  /** Not closed with the console. */
  readonly log: EventLog
  readonly topics?: Topics
  readonly users: UsersDocument
  /** Each is good for one log-in. Default: none. */
  readonly codes?: LoginCodes
  /** A file, or `:memory:`, which is the default. */
  readonly database?: string
  readonly retention?: Partial<RetentionLimits>
  /** Empties the database first, and reads the log from its beginning. */
  readonly rebuild?: boolean
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** 0 for any free port. */
  readonly port: number
  /** The port to use if another process has `port`; by default the console then does not start. */
  readonly portIfTaken?: number
  readonly publicUrl?: string | undefined
  /** Signs answers. Without it questions are shown and cannot be answered here. */
  readonly signingKey?: string | undefined
  /** Of the monitors, to say how many run. Default: `plimsoll-monitor`. */
  readonly monitorGroup?: string
  /** Documents that monitors may use without a registry: their own. Default: none. */
  readonly documents?: readonly Documents[]
  readonly metrics: Metrics
  readonly logger: Logger
  readonly clock?: Clock
  /** Ends it while it waits for the log at its start; it then throws `closed`. */
  readonly signal?: AbortSignal
}

export interface Console {
  /** Such as `http://127.0.0.1:9466`. */
  readonly url: string
  /** Resolves once everything that was in the log at the start can be seen. */
  readonly caughtUp: Promise<void>
  /** Pages that follow live. */
  readers(): number
  /** Why it cannot serve people; undefined while it reads the log and its database answers. */
  notReady(): Promise<string | undefined>
  close(): Promise<void>
}

/** Serves the page over `log`. Resolves when it listens and reads the log; rejects with `config_invalid` if the port is taken or the database cannot be opened. */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const metrics = createConsoleMetrics(options.metrics)
  let isClosing = false
  const { value, release } = await withReleasers((onRelease) => acquire(options, metrics, onRelease))
  const { url, model, store, feed } = value
  async function reason(): Promise<string | undefined> {
    if (isClosing) return 'it ends'
    if (!model.isRunning()) return 'the log cannot be read: Kafka does not answer'
    return store.ping().then(
      () => undefined,
      (error: unknown) => String(error),
    )
  }
  return {
    url,
    caughtUp: model.caughtUp,
    readers: feed.readers,
    notReady: async () => {
      const why = await reason()
      metrics.ready(why === undefined)
      return why
    },
    close: () => {
      isClosing = true
      return release()
    },
  }
}

async function acquire(options: ConsoleOptions, metrics: ConsoleMetrics, onRelease: OnRelease) {
  const {
    log,
    topics = topicsOf(),
    users,
    codes = new Map(),
    signingKey,
    logger,
    clock = systemClock,
    publicUrl,
  } = options
  const { host = '127.0.0.1', port, portIfTaken, documents = [] } = options
  const closing = new AbortController()
  const signal = options.signal ? AbortSignal.any([closing.signal, options.signal]) : closing.signal
  const store: ReadStore = await openReadStore(options.database ?? ':memory:')
  onRelease(() => store.close())
  const feed = createLiveFeed()
  const publishApplied = createPublishApplied(store, feed, clock)
  const answers = createAnswers({ log, topics, store, signingKey, clock })
  const skipSoon = createSeldom(feed.skip, SKIP_MS, onRelease)
  const onApplied = async (applied: Applied, isLive: boolean) => {
    answers.applied(applied.closed)
    if (!isLive) return skipSoon()
    await publishApplied(applied).catch((error: unknown) => {
      logger.warn('live events were left out', { error })
      feed.skip()
    })
  }
  onRelease(async () => closing.abort())
  const deadLetters = await log.tail(topics.deadLetters, answers.receiveDeadLetter, { signal })
  onRelease(() => deadLetters.close())
  const model: ReadModel = await startReadModel({
    log,
    topics,
    store,
    signingKey,
    retention: { ...RETENTION, ...options.retention },
    rebuild: options.rebuild ?? false,
    onApplied,
    metrics,
    logger,
    clock,
    signal,
  })
  onRelease(() => model.close())
  const onChange = createSeldom(() => feed.publish('controls', undefined, {}), CONTROLS_MS, onRelease)
  const group = options.monitorGroup ?? consumerGroup('plimsoll', 'monitor')
  const controls = await openFleetControls({
    log,
    topics,
    signingKey,
    group,
    onChange,
    logger,
    clock,
    signal,
  })
  onRelease(() => controls.close())
  const now = () => clock.now()
  const context = {
    store,
    totals: createCountsCache((query: SessionQuery) => store.totals(query, now()), now),
    answers,
    appeal: createAppealStep({ log, topics, store, signingKey, clock, signal }),
    appealCounts: createCountsCache(({ tenants }: AppealsQuery) => store.appealCounts(tenants), now),
    controls,
    canAnswer: signingKey !== undefined,
    policyCounts: createCountsCache(async ({ tenants }: Pick<SessionQuery, 'tenants'>) => {
      const [uses, counts] = await Promise.all([store.policyUses(tenants), store.reasonCounts(tenants)])
      return { uses, counts }
    }, now),
    findDocument: createFindDocument(documents, controls.registry),
    lag: model.lag,
    metrics,
    now,
  }
  const app = await createServer({ users, codes, context, feed, publicUrl, logger, clock })
  onRelease(() => app.close())
  return { url: await listen(app, host, port, portIfTaken), model, store, feed }
}

/** Calls `work` once, soon after it is wanted, however often that is meanwhile. */
function createSeldom(work: () => void, everyMs: number, onRelease: OnRelease): () => void {
  let timer: NodeJS.Timeout | undefined
  onRelease(() => clearTimeout(timer))
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined
      work()
    }, everyMs)
  }
}
