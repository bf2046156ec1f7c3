import { topicsOf } from '@plimsoll/contracts'
import { defaultDocuments } from '@plimsoll/policy'
import { consumerGroup, withReleasers } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { openService } from '@plimsoll/runtime/service'
import { readUsers } from './auth/users.js'
import { RETENTION, type Console, startConsole } from './console.js'
import type { ConsoleConfig } from './settings.js'

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
      monitorGroup: consumerGroup(config.topicPrefix, 'monitor'),
      documents: [await defaultDocuments()],
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
