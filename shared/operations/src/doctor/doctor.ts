import { type Topics, PlimsollError, canonicalJson, versionOf } from '@plimsoll/contracts'
import { type Documents, readCatalogue, readDocument } from '@plimsoll/policy'
import {
  type Clock,
  type EventLog,
  type PartitionInfo,
  type SessionStore,
  type TopicSizes,
  systemClock,
  topicSpecs,
} from '@plimsoll/runtime'
import { clockFinding, readLogClock, readStoreClock } from './clocks.js'
import { groupFindings } from './group.js'
import { type Finding, examined, fail, ok, storeFindings, warn } from './redis.js'
import { checkRegistry } from './registry.js'
import { type TopicFacts, type TopicRole, topicFindings } from './topics.js'

/** Files that the monitors are given; the document that ships with Plimsoll where a kind is left out. */
export interface DocumentFiles {
  readonly bundles?: readonly string[] | undefined
  readonly policies?: readonly string[] | undefined
  readonly catalogues?: readonly string[] | undefined
}

export interface DocumentsRead {
  readonly findings: readonly Finding[]
  /** Of those that could be read. */
  readonly versions: ReadonlySet<string>
  /** Of the largest, as it would be published. */
  readonly bytesMax: number
}

const KINDS = [
  ['bundle', 'bundles', 'PLIMSOLL_BUNDLES'],
  ['policy', 'policies', 'PLIMSOLL_POLICIES'],
  ['catalogue', 'catalogues', 'PLIMSOLL_CATALOGUES'],
] as const

/** Reads every document that the monitors would. */
export async function checkDocuments(files: DocumentFiles): Promise<DocumentsRead> {
  const versions = new Set<string>()
  const findings: Finding[] = []
  let bytesMax = 0
  for (const [kind, list, env] of KINDS)
    for (const file of files[list] ?? [undefined]) {
      const read = await readOne(kind, file, env)
      findings.push(read.finding)
      if (read.version !== undefined) versions.add(read.version)
      bytesMax = Math.max(bytesMax, read.bytes)
    }
  return { findings, versions, bytesMax }
}

const filesOf = (file: string | undefined): readonly string[] => (file === undefined ? [] : [file])

async function readOne(kind: keyof Documents, file: string | undefined, env: string) {
  const name = `${kind} ${file ?? '(shipped)'}`
  try {
    const document = await (kind === 'catalogue' ? readCatalogue(filesOf(file)) : readDocument(kind, file))
    const version = versionOf(document)
    const finding = ok(name, `\`${document.name}\`, version ${version}`)
    return { finding, version, bytes: Buffer.byteLength(canonicalJson(document)) }
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    return {
      finding: fail(name, error.message, `fix the file, or change ${env}`),
      version: undefined,
      bytes: 0,
    }
  }
}

/** Whether the events topic has the partitions that the session store remembers; see the monitor's log guard. */
export async function checkRemembered(
  store: Pick<SessionStore, 'readMeta'>,
  topic: string,
  partitions: readonly PartitionInfo[],
): Promise<readonly Finding[]> {
  const { partitions: remembered } = await store.readMeta(`log:${topic}`)
  return [rememberedFinding(remembered, partitions.length)]
}

export function rememberedFinding(remembered: string | undefined, count: number): Finding {
  const name = 'partition count'
  if (remembered === undefined) return ok(name, `${count}; no monitor has noted it yet`)
  if (Number(remembered) === count) return ok(name, `${count}, as the session store remembers`)
  return fail(
    name,
    `${count}, but the session store remembers ${remembered}: sessions would be looked for in the wrong place`,
    'drain, clear the session store, start again',
  )
}

export function signingKeyFinding(key: string | undefined): Finding {
  if (key !== undefined) return ok('signing key', 'given')
  return warn(
    'signing key',
    'none: approvals, deadlines and control changes are refused',
    'set PLIMSOLL_SIGNING_KEY, the same for all monitors and for this command line',
  )
}

const ANSWER_MS_MAX = 3_000
const REASON_LENGTH_MAX = 500

/** Asks the monitor whose probes are served at `url` whether it is ready. */
export async function checkReadiness(url: string, signal?: AbortSignal): Promise<Finding> {
  const name = `monitor ${url}`
  // Not `AbortSignal.timeout`: `AbortSignal.any` holds it weakly, and once collected it never aborts.
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), ANSWER_MS_MAX)
  try {
    const probe = new URL('/readyz', url)
    const answer = await fetch(probe, {
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    })
    if (answer.ok) return ok(name, 'ready')
    const reason = (await answer.text()).trim().slice(0, REASON_LENGTH_MAX) || `not ready (${answer.status})`
    return fail(name, reason, 'see its log, and whether Kafka and Redis are in reach from where it runs')
  } catch {
    return fail(name, 'does not answer', 'see whether it runs, and PLIMSOLL_HTTP_HOST and PLIMSOLL_HTTP_PORT')
  } finally {
    clearTimeout(timer)
  }
}

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
 * Checks everything that a deployment depends on. Total and bounded: an unreachable part is a finding, the rest is checked all the same.
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

interface CheckResult {
  readonly isUp: boolean
  readonly findings: readonly Finding[]
}

const REST_KAFKA = 'topics, registry, group and clock are not looked at'

async function aboutLog(options: DoctorOptions, documents: DocumentsRead): Promise<CheckResult> {
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
  // A principal that may only read can still check the rest.
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
  // Already reported as missing topics.
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

/** Reads the positions before the ends: monitors continue meanwhile, and a position must not seem beyond the end. */
export async function aboutGroup(
  log: Pick<EventLog, 'group' | 'describe'>,
  group: string,
  topic: string,
): Promise<readonly Finding[]> {
  const info = await log.group(group, topic)
  return groupFindings(info, (await log.describe(topic)) ?? [])
}

async function aboutStore({ store, addresses, clock = systemClock }: DoctorOptions): Promise<CheckResult> {
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
