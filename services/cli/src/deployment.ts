import { type Documents, type Topics, PlimsollError, topicsOf } from '@plimsoll/contracts'
import { monitorSettings } from '@plimsoll/monitor'
import { defaultDocuments, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  type ConfigOf,
  type Environment,
  type EventLog,
  type Logger,
  type OnRelease,
  type RefusalReason,
  type RefusedRecord,
  type SessionStore,
  type Setting,
  type Settings,
  checkKafkaSettings,
  kafkaSettings,
  parseConfig,
  type redisSettings,
  withReleasers,
} from '@plimsoll/runtime'
import { createKafkaLog, kafkaConnectionOf } from '@plimsoll/runtime/kafka'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { type Output, integer } from './command.js'
import { plainText } from './format/text.js'

/** The settings of a command that uses a deployment and is not its service: variables of the services are allowed. */
export const configOf = <S extends Settings>(settings: S, env: Environment): ConfigOf<S> =>
  parseConfig(settings, env, {
    prefixes: [],
    checks: 'kafkaBrokers' in settings ? [checkKafkaSettings as never] : [],
  })

/** Settings of commands that publish signed events: unsigned ones are refused. */
export const signedSettings = {
  ...kafkaSettings,
  signingKey: { ...monitorSettings.signingKey, isRequired: true } as Setting<string>,
}

export const waitOption = {
  wait: integer('SECONDS', 'how long to wait for the monitor', { min: 1, max: 3_600, default: 10 }),
}

/** The shipped documents with those of `--policy` and `--catalogue`. Throws `document_invalid`. */
export const readRules = async ({
  policy,
  catalogue,
}: {
  readonly policy: string | undefined
  readonly catalogue: readonly string[]
}): Promise<Documents> =>
  defaultDocuments({
    ...(policy !== undefined && { policy: await readDocument('policy', policy) }),
    catalogue: await readCatalogue(catalogue),
  })

/** Runs `work`, and releases what it acquired, in reverse order, however it ends. */
export async function within<T>(work: (onRelease: OnRelease) => Promise<T>): Promise<T> {
  const acquired = await withReleasers(work)
  await acquired.release()
  return acquired.value
}

/** The log and the topics of the deployment. */
export function openLog(
  config: ConfigOf<typeof kafkaSettings>,
  onRelease: OnRelease,
  logger?: Logger,
): { readonly log: EventLog; readonly topics: Topics } {
  const log = createKafkaLog({ ...kafkaConnectionOf(config), ...(logger && { logger }) })
  onRelease(() => log.close())
  return { log, topics: topicsOf(config.topicPrefix) }
}

/** The store with the session states of the deployment. */
export function openStore(
  { redisUrl: url, topicPrefix: prefix }: ConfigOf<typeof redisSettings>,
  onRelease: OnRelease,
  logger?: Logger,
): SessionStore {
  const store = createRedisStore({ url, prefix, ...(logger && { logger }) })
  onRelease(() => store.close())
  return store
}

/**
 * Collects the registry's records that were refused, and at the release writes to `stderr` the last one of each reason and how many more
 * there are. After a change of the signing key there can be many.
 */
export function reportRefusals(stderr: Output, onRelease: OnRelease): (refused: RefusedRecord) => void {
  const refusals = new Map<RefusalReason, { readonly last: RefusedRecord; readonly count: number }>()
  onRelease(() => {
    for (const { last, count } of refusals.values()) stderr.write(refusalLine(last, count))
  })
  return (last) => refusals.set(last.reason, { last, count: (refusals.get(last.reason)?.count ?? 0) + 1 })
}

function refusalLine({ key, offset, reason, message }: RefusedRecord, count: number): string {
  const more = count > 1 ? `; and ${count - 1} more like it` : ''
  const record = `registry record \`${plainText(key)}\` at offset ${offset}`
  return `plimsoll: ${record} is ignored: ${reason}: ${plainText(message)}${more}\n`
}

/** The result of `work`. Rejects with `closed` and `message` if `signal` aborts first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal, message: string): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new PlimsollError('closed', message))
  })
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** How long it may take until topics are read, milliseconds: Kafka lets a new group wait 3 s for more members. */
const JOIN_MS_MAX = 30_000

/**
 * Awaits what `start` begins, which a log that is away would let wait without end. Rejects with `log_unavailable`, naming the
 * `topics`, after `JOIN_MS_MAX`. The signal that `start` is given is that of the whole time: it outlives the start, and then only `signal` aborts it.
 */
export async function inTime<T>(
  signal: AbortSignal,
  topics: readonly string[],
  start: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), JOIN_MS_MAX)
  try {
    return await start(AbortSignal.any([signal, timeout.signal]))
  } catch (error) {
    if (!timeout.signal.aborted) throw error
    const names = topics.map((topic) => `\`${topic}\``).join(' and ')
    const message = `${names} could not be read within ${JOIN_MS_MAX / 1000} s; nothing was published`
    throw new PlimsollError('log_unavailable', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when `signal` aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

interface Service {
  close(): Promise<void>
}

/** Runs the service that `start` begins until `signal` aborts, then closes it. */
export async function serveUntil(signal: AbortSignal, start: () => Promise<Service>): Promise<void> {
  const service = await start().catch((error: unknown) => {
    // It was asked to end while it waited for Kafka.
    if (signal.aborted) return undefined
    throw error
  })
  await aborted(signal)
  await service?.close()
}
