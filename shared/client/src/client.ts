import { randomUUID } from 'node:crypto'
import type { Topics } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import type { EventLog } from '@plimsoll/runtime'
import { createLogChannel, type Channel } from './channel.js'
import { createDecisionReader } from './decision-reader.js'
import { CLIENT_LIMITS } from './limits.js'
import { createLink, type ClientSettings } from './link.js'
import { createLogSession, type LogSession } from './log-session.js'
import { createObservation } from './observation.js'
import { createOpenSessions } from './open-sessions.js'
import { closedError, fullError, startedError } from './refusals.js'
import { resumptionOf } from './resumption.js'
import type { PlimsollClient, ResumedSession, SessionOptions } from './session.js'
import { openTelemetryTrace, withoutThrowing } from './trace.js'
import { unlostClient } from './unlost.js'

/** Over a log that the monitors read, or any other way to them. Whoever made it closes it. */
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

  function start({ id = `session-${randomUUID()}`, ...told }: SessionOptions): LogSession {
    if (isClosed) throw closedError()
    if (sessions.has(id)) throw startedError(id)
    return open(id, told)
  }

  function resume(told: ResumedSession): LogSession {
    if (isClosed) throw closedError()
    const { id } = told
    return sessions.get(id) ?? open(id, { resumed: resumptionOf(told, link.identities) })
  }

  function open(id: string, told: Parameters<typeof createLogSession>[1]): LogSession {
    if (outbound.size() >= limits.queueEventsMax) throw fullError('queueEventsMax', limits.queueEventsMax)
    sessions.makeRoom()
    const session = createLogSession(id, told, link, {
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

  return unlostClient({
    startSession: async (options = {}) => start(options).session,
    resumeSession: async (resumed) => resume(resumed).session,
    stats: () => ({ ...counters, queued: outbound.size() }),
    close: () => (closing ??= close()),
  })
}
