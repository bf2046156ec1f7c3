import { PlimsollError, topicsOf, versionOf } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { type EventLog, type Logger, type Registry, openRegistry, withReleasers } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { openService } from '@plimsoll/runtime/service'
import { readUsers } from './auth/users.js'
import { RETENTION, type Console, startConsole } from './console.js'
import type { ConsoleConfig } from './settings.js'
import type { FindBundle } from './thresholds.js'

export interface ConsoleService {
  /** Of the page. */
  readonly url: string
  /** Of its metrics and probes. */
  readonly probesUrl: string
  close(): Promise<void>
}

export interface ConsoleServiceOptions {
  readonly config: ConsoleConfig
  /** Empties the database first, and reads the log from its beginning. */
  readonly rebuild?: boolean
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** The console on Kafka, with metrics and probes. Resolves when it serves the page; throws for an invalid file of users or a taken port. */
export async function startConsoleService(options: ConsoleServiceOptions): Promise<ConsoleService> {
  const { config, rebuild = false, write, signal } = options
  let running: Console | undefined
  const metrics = createMetrics()
  const notReady = () => (running ? running.notReady() : 'it waits for Kafka and its topics')
  const { value, release } = await withReleasers(async (onRelease) => {
    const users = await readUsers(config.usersFile)
    const { logger, http, log } = await openService({ config, metrics, write, notReady, onRelease })
    const topics = topicsOf(config.topicPrefix)
    const registry = await registryIn(log, topics.registry, logger, signal)
    if (registry) onRelease(() => registry.close())
    const started = await startConsole({
      log,
      topics,
      users,
      database: config.databaseFile,
      retention: {
        ...RETENTION,
        ageMaxMs: config.retentionDays * 86_400_000,
        sessionsMax: config.sessionsMax,
      },
      rebuild,
      host: config.consoleHost,
      port: config.consolePort,
      publicUrl: config.publicUrl,
      signingKey: config.signingKey,
      findBundle: await createFindBundle(registry),
      metrics,
      logger,
      signal,
    })
    onRelease(() => started.close())
    logger.info('serving the page', { url: started.url, users: users.users.length })
    running = started
    return { url: started.url, probesUrl: http.url }
  })
  return { ...value, close: release }
}

/** Undefined where the deployment has none. */
async function registryIn(
  log: EventLog,
  topic: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<Registry | undefined> {
  try {
    return await openRegistry({ log, topic, signal })
  } catch (error) {
    if (!(error instanceof PlimsollError && error.code === 'config_invalid')) throw error
    logger.warn('there is no registry: thresholds are shown of the shipped bundle only', { error })
    return undefined
  }
}

/** Bundles of the registry, and the shipped bundle. */
async function createFindBundle(registry: Registry | undefined): Promise<FindBundle> {
  const { bundle: shipped } = await defaultDocuments()
  const own = versionOf(shipped)
  return (version) => {
    if (version === own) return shipped
    const document = registry?.document(version)
    return document?.kind === 'bundle' ? document.document : undefined
  }
}
