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
import type { PlimsollClient, SessionOptions } from './session.js'

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

  return {
    startSession: async (options = {}) => start(options).session,
    stats: () => ({ ...counters, queued: outbound.size() }),
    close: () => (closing ??= close()),
  }
}
