import { PlimsollError, type Topics } from '@plimsoll/contracts'
import {
  systemClock,
  topicSpecs,
  type Clock,
  type EventLog,
  type SessionStore,
  type TopicSizes,
} from '@plimsoll/runtime'
import { clockFinding, readLogClock, readStoreClock } from './clocks.js'
import { checkDocuments, type DocumentFiles, type DocumentsRead } from './documents.js'
import { examined, fail, ok, warn, type Finding } from './finding.js'
import { groupFindings } from './group.js'
import { checkRemembered, signingKeyFinding } from './memory.js'
import { checkReadiness } from './readiness.js'
import { storeFindings } from './redis.js'
import { checkRegistry } from './registry.js'
import { topicFindings, type TopicFacts, type TopicRole } from './topics.js'

export interface DoctorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  /** Where log and store are looked for, as an operator may read it: without passwords. */
  readonly addresses: { readonly log: string; readonly store: string }
  /** Of the monitors. */
  readonly group: string
  readonly signingKey?: string | undefined
  readonly files: DocumentFiles
  readonly idleTtlMs: number
  readonly eventBytesMax: number
  /** Makes missing topics first. */
  readonly create?: TopicSizes | undefined
  /** Where monitors serve their probes: each must be ready. */
  readonly monitors?: readonly string[]
  readonly clock?: Clock
  readonly signal?: AbortSignal
}

/**
 * Looks at everything that a deployment stands on. Total and bounded: what cannot be reached is a finding, the rest is looked at all the
 * same, and nothing waits for ever.
 */
export async function examineDeployment(options: DoctorOptions): Promise<readonly Finding[]> {
  const documents = await checkDocuments(options.files)
  const [log, store, monitors] = await Promise.all([
    aboutLog(options, documents),
    aboutStore(options),
    Promise.all((options.monitors ?? []).map((url) => checkReadiness(url, options.signal))),
  ])
  const between = log.isUp && store.isUp ? await aboutBoth(options) : []
  return [
    signingKeyFinding(options.signingKey),
    ...documents.findings,
    ...log.findings,
    ...store.findings,
    ...between,
    ...monitors,
  ]
}

interface Looked {
  readonly isUp: boolean
  readonly findings: readonly Finding[]
}

const REST_KAFKA = 'topics, registry, group and clock are not looked at'

async function aboutLog(options: DoctorOptions, documents: DocumentsRead): Promise<Looked> {
  const { log, topics, create, addresses } = options
  const reached = await examined('kafka', async () => {
    await log.ping()
    return [ok('kafka', `answers at ${addresses.log}`)]
  })
  if (reached.some(({ status }) => status === 'fail'))
    return {
      isUp: false,
      findings: reached.map((each) => ({
        ...each,
        what: `${each.what} (asked at ${addresses.log}); ${REST_KAFKA}`,
      })),
    }
  const made = create ? await examined('topics', () => makeTopics(log, topics, create)) : []
  const [looked, clock, rest] = await Promise.all([
    aboutTopics(options, documents),
    examined('clock of kafka', () => logClock(options)),
    examined('registry and group', () => registryAndGroup(options, documents)),
  ])
  return { isUp: true, findings: [...reached, ...made, ...looked, ...clock, ...rest] }
}

async function makeTopics(log: EventLog, topics: Topics, sizes: TopicSizes): Promise<readonly Finding[]> {
  const specs = topicSpecs(topics, sizes)
  const known = await Promise.all(specs.map(({ topic }) => log.describe(topic)))
  const missing = specs.filter((_, i) => known[i] === undefined)
  await log.createTopics(missing)
  if (missing.length === 0) return []
  return [ok('topics', `made ${missing.map(({ topic }) => topic).join(', ')}`)]
}

async function aboutTopics(
  { log, topics, idleTtlMs, eventBytesMax }: DoctorOptions,
  { bytesMax }: DocumentsRead,
): Promise<readonly Finding[]> {
  const needs = { idleTtlMs, eventBytesMax, documentBytes: bytesMax }
  const named = Object.entries(topics) as [TopicRole, string][]
  const looked = named.map(([role, topic]) =>
    examined(`topic ${topic}`, async () => topicFindings(await factsOf(log, role, topic), needs)),
  )
  return (await Promise.all(looked)).flat()
}

async function factsOf(log: EventLog, role: TopicRole, topic: string): Promise<TopicFacts> {
  const partitions = await log.describe(topic)
  if (!partitions) return { role, topic, partitions, settings: undefined, copies: undefined }
  const [settings, copies] = await Promise.all([log.settings(topic), log.copies(topic)])
  return { role, topic, partitions, settings, copies }
}

async function logClock({ log, topics, clock = systemClock }: DoctorOptions): Promise<readonly Finding[]> {
  const type = (await log.settings(topics.registry))?.['message.timestamp.type']
  const name = 'clock of kafka'
  if ((await log.describe(topics.registry))?.length !== 1) return []
  if (type !== undefined && type !== 'LogAppendTime')
    return [warn(name, 'cannot be read: the registry takes its times from producers', 'see that topic')]
  const reading = await readLogClock(log, topics.registry, clock).catch((error: unknown) => {
    if (error instanceof PlimsollError) return error
    throw error
  })
  // Whoever may only read can still look at everything else.
  if (reading instanceof PlimsollError)
    return [warn(name, `cannot be read: ${reading.message}`, 'let this principal write to the registry')]
  if (!reading) return [fail(name, 'what was written to the registry was not found there', 'report this')]
  return [clockFinding('kafka', reading)]
}

async function registryAndGroup(
  { log, topics, group, signingKey }: DoctorOptions,
  documents: DocumentsRead,
): Promise<readonly Finding[]> {
  const [partitions, registry] = await Promise.all([
    log.describe(topics.events),
    log.describe(topics.registry),
  ])
  // Told as missing topics already.
  if (!partitions) return []
  const question = {
    log,
    topic: topics.registry,
    signingKey,
    partitions: partitions.length,
    atHand: documents.versions,
  }
  const [about, members] = await Promise.all([
    registry?.length === 1 ? examined('registry', () => checkRegistry(question)) : [],
    examined('monitors', () => aboutGroup(log, group, topics.events)),
  ])
  return [...about, ...members]
}

/** First the positions, then the ends: monitors go on meanwhile, and one may be behind the end as it was, never beyond the end as it is. */
export async function aboutGroup(
  log: Pick<EventLog, 'group' | 'describe'>,
  group: string,
  topic: string,
): Promise<readonly Finding[]> {
  const info = await log.group(group, topic)
  return groupFindings(info, (await log.describe(topic)) ?? [])
}

async function aboutStore({ store, addresses, clock = systemClock }: DoctorOptions): Promise<Looked> {
  const findings = await examined('redis', async () => {
    const info = await store.describe()
    const reading = await readStoreClock(store, clock)
    return [
      ok('redis', `answers at ${addresses.store}`),
      ...storeFindings(info),
      clockFinding('redis', reading),
    ]
  })
  const isUp = findings.length > 1
  const asked = (each: Finding) => ({ ...each, what: `${each.what} (asked at ${addresses.store})` })
  return { isUp, findings: isUp ? findings : findings.map(asked) }
}

function aboutBoth({ log, store, topics }: DoctorOptions): Promise<readonly Finding[]> {
  return examined('partition count', async () => {
    const partitions = await log.describe(topics.events)
    return partitions ? checkRemembered(store, topics.events, partitions) : []
  })
}
