import { randomUUID } from 'node:crypto'
import {
  type Decision,
  type Handover,
  type Topics,
  PlimsollError,
  decisionSchema,
  parseJson,
  parseWorld,
} from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { extendShipped } from '@plimsoll/policy'
import type { EventLog } from '@plimsoll/runtime'
import QuickLRU from 'quick-lru'
import { WORST } from './observe/handover.js'
import { createObservation } from './observe/observation.js'
import { assertOptions } from './options.js'
import { type PlimsollClient, type ResumedSession, assertSessionOptions } from './session.js'
import { type LogSession, createLogSession } from './session/log-session.js'
import { closedError, createOpenSessions, fullError } from './session/open-sessions.js'
import type { Identities } from './transport/identities.js'
import {
  type ClientSettings,
  CLIENT_LIMITS,
  CLIENT_SETTINGS,
  NOT_OF_CLIENTS,
  createLink,
} from './transport/link.js'
import { type Channel, type DecisionRecord, createLogChannel } from './transport/outbound.js'
import type { Counters } from './transport/receiver.js'
import { openTelemetryTrace, readerErrors, shielded } from './transport/trace.js'
import { handleRejections } from './wait.js'

/** Decision ids remembered to recognise duplicates. */
const RECENT_DECISIONS_MAX = 4_096

interface DecisionReaderOptions {
  /** Whether this client reads decisions on the session. */
  readonly isOurs: (sessionId: string) => boolean
  readonly onDecision: (decision: Decision) => void
  readonly counters: Pick<Counters, 'duplicates' | 'undecodable'>
}

/**
 * Reads records of the decisions topic. Records of other processes' sessions cost one look-up. Each decision is passed on once, though the
 * monitor may publish it again after a crash.
 */
function createDecisionReader(options: DecisionReaderOptions): (record: DecisionRecord) => void {
  const { isOurs, onDecision, counters } = options
  const recent = new QuickLRU<string, true>({ maxSize: RECENT_DECISIONS_MAX })

  return ({ key, value }) => {
    if (key !== null && !isOurs(key)) return
    const decision = decisionSchema.safeParse(parseJson(value)).data
    if (!decision || decision.sessionId !== key) {
      counters.undecodable++
      return
    }
    // Repeats share an id but may differ: each is the current answer.
    const isDuplicate = decision.kind !== 'repeat' && recent.has(decision.id)
    if (isDuplicate) counters.duplicates++
    else {
      if (decision.kind !== 'repeat') recent.set(decision.id, true)
      onDecision(decision)
    }
  }
}

/** What a session inherits that another process started: its root, and the worst. Throws `identity_invalid` for a foreign token. */
function resumptionOf(
  { id, token, root }: ResumedSession,
  identities: Pick<Identities, 'rootOf'> | undefined,
): Handover {
  const tokenRoot = token === undefined ? undefined : identities?.rootOf(id, token)
  if (root !== undefined && tokenRoot !== undefined && root !== tokenRoot)
    throw new PlimsollError('identity_invalid', `the root of session \`${id}\` is not the root in its token`)
  return { root: tokenRoot ?? root ?? id, inherits: WORST, ...(token !== undefined && { identity: token }) }
}

/** Over a log that the monitors read, or any other channel to them. The caller closes it. */
export type ClientOptions = ClientSettings & (OverLog | OverChannel)

interface OverLog {
  readonly log: EventLog
  readonly topics?: Topics
}

interface OverChannel {
  readonly channel: Channel
}

const CLIENT_OPTIONS = { ...CLIENT_SETTINGS, log: true, topics: true, channel: true } as const

/**
 * Creates a client over an event log that a monitor reads. Resolves when no decision can be missed; rejects with `log_unavailable` and
 * `document_invalid`, and with `config_invalid` for an option that it does not have.
 *
 * @example
 * import { createClient } from '@plimsoll/client'
 * import { createKafkaLog } from '@plimsoll/runtime/kafka'
 *
 * const log = createKafkaLog({ brokers: ['127.0.0.1:9092'] })
 * const client = await createClient({ log })
 * const session = await client.startSession({ category: 'research_comms' })
 * const asked = await session.propose({ tool: 'send_email', arguments: { to: 'ann@example.com' } })
 * const answer = await session.resolution(asked)
 * if (answer.mayRun) await session.complete(answer)
 * await session.end('completed')
 * await client.close()
 * await log.close()
 */
export async function createClient(options: ClientOptions): Promise<PlimsollClient> {
  assertOptions('createClient', options, CLIENT_OPTIONS, { instead: NOT_OF_CLIENTS })
  const channel = 'channel' in options ? options.channel : createLogChannel(options.log, options.topics)
  const limits = { ...CLIENT_LIMITS, ...options.limits }
  const catalogue = await extendShipped(options.catalogue)
  const { fingerprintKey: key, without, disclose, trace } = options
  const countError = () => void link.counters.readerErrors++
  const onReaderError = options.onReaderError
    ? shielded('onReaderError', (error: unknown) => {
        countError()
        options.onReaderError?.(error)
      })
    : readerErrors(countError)
  const link = createLink({
    settings: options,
    channel,
    limits,
    labeller: options.labeller ?? createLabeller(catalogue),
    observation: createObservation({ catalogue, key, without, disclose, onReaderError }),
    currentTrace: trace ? shielded('trace', trace) : await openTelemetryTrace(),
  })
  const { counters, outbound } = link
  const sessions = createOpenSessions<LogSession>({ ...limits, now: link.now })
  const onRecord = createDecisionReader({
    isOurs: sessions.has,
    onDecision: (decision) => sessions.get(decision.sessionId)?.receive(decision),
    counters,
  })
  const askAgain = () => sessions.values().forEach((session) => session.askAgain())
  const listening = await channel.listen(onRecord, askAgain)
  let isClosed = false
  let closing: Promise<void> | undefined

  function open(id: string, start: Parameters<typeof createLogSession>[1]): LogSession {
    const hooks = { onUse: () => sessions.use(id), onDone: () => sessions.delete(id) }
    return sessions.add(id, () => {
      if (outbound.size() >= limits.queueEventsMax) throw fullError('queueEventsMax', limits.queueEventsMax)
      return createLogSession(id, start, link, hooks)
    })
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const session of sessions.values()) session.close()
    sessions.clear()
    await outbound.flush(limits.closeMsMax)
    outbound.stop()
    await listening.close()
  }

  return handleRejections<PlimsollClient>({
    startSession: async (started = {}) => {
      if (isClosed) throw closedError()
      assertSessionOptions(started)
      const { id = `session-${randomUUID()}`, ...start } = started
      return open(id, start).session
    },
    resumeSession: async (resumed) => {
      if (isClosed) throw closedError()
      const { id } = resumed
      const world = resumed.world && parseWorld(resumed.world)
      const start = { resumed: resumptionOf(resumed, link.identities), ...(world && { world }) }
      return (sessions.get(id) ?? open(id, start)).session
    },
    stats: () => ({ ...counters, queued: outbound.size() }),
    close: () => (closing ??= close()),
  })
}
