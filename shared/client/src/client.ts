import { randomUUID } from 'node:crypto'
import { type Decision, type Handover, type Topics, PlimsollError, decisionSchema } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import type { EventLog } from '@plimsoll/runtime'
import { createObservation } from './observe/observation.js'
import { CLIENT_LIMITS, RECENT_DECISIONS_MAX } from './pending/journal.js'
import type { PlimsollClient, ResumedSession, SessionOptions } from './session.js'
import { handleClientRejections } from './session/guard-session.js'
import { type LogSession, createLogSession } from './session/log-session.js'
import { closedError, createOpenSessions, fullError, startedError } from './session/open-sessions.js'
import type { Identities } from './transport/identities.js'
import { type ClientSettings, createLink } from './transport/link.js'
import { type Channel, type DecisionRecord, createLogChannel } from './transport/outbound.js'
import type { Counters } from './transport/receiver.js'
import { openTelemetryTrace, withoutThrowing } from './transport/trace.js'

export interface DecisionReaderOptions {
  /** Whether decisions on this session are ours to read. */
  readonly isOurs: (sessionId: string) => boolean
  /** Takes each decision once. */
  readonly onDecision: (decision: Decision) => void
  readonly counters: Pick<Counters, 'duplicates' | 'undecodable'>
}

/**
 * Reads records of the decisions topic. Those of other processes' sessions cost one look-up of their key; a decision published
 * again after a crash of the monitor is taken once, by its id; what cannot be read is counted.
 */
export function createDecisionReader(options: DecisionReaderOptions): (record: DecisionRecord) => void {
  const { isOurs, onDecision, counters } = options
  const recent = new Set<string>()

  function isNew(id: string): boolean {
    if (recent.has(id)) return false
    if (recent.size >= RECENT_DECISIONS_MAX) for (const oldest of recent) if (recent.delete(oldest)) break
    recent.add(id)
    return true
  }

  return ({ key, value }) => {
    if (key !== null && !isOurs(key)) return
    const decision = parseDecision(value)
    if (!decision || decision.sessionId !== key) counters.undecodable++
    // What stands may be another thing each time that it is asked for.
    else if (decision.kind === 'repeat' || isNew(decision.id)) onDecision(decision)
    else counters.duplicates++
  }
}

function parseDecision(value: Buffer | null): Decision | undefined {
  if (value === null) return undefined
  try {
    return decisionSchema.safeParse(JSON.parse(value.toString('utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * What is known of a session that another process began: who it is, and of what it has read the worst. Throws `identity_invalid`
 * for a token that is not its own.
 */
export function resumptionOf(
  { id, token, root }: ResumedSession,
  identities: Pick<Identities, 'rootOf'> | undefined,
): Handover {
  const reported = token === undefined ? undefined : identities?.rootOf(id, token)
  if (root !== undefined && reported !== undefined && root !== reported)
    throw new PlimsollError(
      'identity_invalid',
      `the root of session \`${id}\` is another than its token says`,
    )
  return {
    root: reported ?? root ?? id,
    inherits: { taint: 'instructions', confidentiality: 'credentials', unseen: true, codeWritten: true },
    ...(token !== undefined && { identity: token }),
  }
}

/** Over a log that the monitors read, or any other way to them. Anyone who made it closes it. */
export type ClientOptions = ClientSettings & (OverLog | OverChannel)

export interface OverLog {
  readonly log: EventLog
  readonly topics?: Topics
}

export interface OverChannel {
  readonly channel: Channel
}

/**
 * Makes a client over an event log that a monitor reads. Resolves when no decision can be missed; rejects with `log_unavailable`
 * and `document_invalid`.
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
  const channel = 'channel' in options ? options.channel : createLogChannel(options.log, options.topics)
  const limits = { ...CLIENT_LIMITS, ...options.limits }
  const catalogue = options.catalogue ?? (await readDocument('catalogue'))
  const labeller = options.labeller ?? createLabeller(catalogue)
  const observation = createObservation({
    catalogue,
    key: options.fingerprintKey,
    without: options.without,
    disclose: options.disclose,
  })
  const link = createLink({
    settings: options,
    channel,
    limits,
    labeller,
    observation,
    currentTrace: options.trace ? withoutThrowing(options.trace) : await openTelemetryTrace(),
  })
  const { counters, outbound } = link
  const sessions = createOpenSessions<LogSession>({ ...limits, now: link.now })
  const onRecord = createDecisionReader({
    isOurs: (sessionId) => sessions.has(sessionId),
    onDecision: (decision) => sessions.get(decision.sessionId)?.receive(decision),
    counters,
  })
  const askAgain = () => {
    for (const session of sessions.values()) session.askAgain()
  }
  const listening = await channel.listen(onRecord, askAgain)
  let isClosed = false
  let closing: Promise<void> | undefined

  function start({ id = `session-${randomUUID()}`, ...reported }: SessionOptions): LogSession {
    if (isClosed) throw closedError()
    if (sessions.has(id)) throw startedError(id)
    return open(id, reported)
  }

  function resume(reported: ResumedSession): LogSession {
    if (isClosed) throw closedError()
    const { id } = reported
    return sessions.get(id) ?? open(id, { resumed: resumptionOf(reported, link.identities) })
  }

  function open(id: string, reported: Parameters<typeof createLogSession>[1]): LogSession {
    if (outbound.size() >= limits.queueEventsMax) throw fullError('queueEventsMax', limits.queueEventsMax)
    sessions.makeRoom()
    const session = createLogSession(id, reported, link, {
      onUse: () => sessions.use(id),
      onDone: () => sessions.delete(id),
    })
    sessions.add(id, session)
    return session
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const session of sessions.values()) session.close()
    sessions.clear()
    await outbound.flush(limits.closeMsMax)
    outbound.stop()
    await listening.close()
  }

  return handleClientRejections({
    startSession: async (options = {}) => start(options).session,
    resumeSession: async (resumed) => resume(resumed).session,
    stats: () => ({ ...counters, queued: outbound.size() }),
    close: () => (closing ??= close()),
  })
}
