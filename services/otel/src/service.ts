import { topicsOf } from '@plimsoll/contracts'
import { readCatalogue } from '@plimsoll/policy'
import { consumerGroup, type OnRelease, withReleasers } from '@plimsoll/runtime'
import { openService } from '@plimsoll/runtime/service'
import { runDecisionSpans } from './decision-spans.js'
import { createOtelMetrics } from './metrics.js'
import { type RunningOtel, runOtel } from './run-otel.js'
import type { OtelConfig } from './settings.js'

export interface OtelService {
  /** Of its metrics and probes. */
  readonly url: string
  close(): Promise<void>
}

export interface OtelServiceOptions {
  readonly config: OtelConfig
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** Reads spans from Kafka and exports decisions as spans, with metrics and probes. Resolves when it consumes; throws if the port is taken. */
export async function startOtelService(options: OtelServiceOptions): Promise<OtelService> {
  const parts: Pick<RunningOtel, 'isRunning'>[] = []
  let isStarted = false
  const notReady = () =>
    isStarted && parts.every((part) => part.isRunning())
      ? undefined
      : 'not in its group: Kafka does not answer yet'
  const { value, release } = await withReleasers(async (onRelease: OnRelease) => {
    const { config, write, signal } = options
    const service = await openService({ config, write, notReady, onRelease })
    const { logger, log } = service
    const topics = topicsOf(config.topicPrefix)
    const context = { log, topics, metrics: createOtelMetrics(service.metrics), logger, signal }
    const add = (part: RunningOtel) => {
      onRelease(() => part.close())
      parts.push(part)
    }
    if (config.readsSpans) {
      const { spansTopic, spansTenant: tenant, fingerprintKey, identityKey } = config
      const catalogue = await readCatalogue(config.catalogueFiles)
      add(
        await runOtel({
          ...context,
          spansTopic,
          group: consumerGroup(config.topicPrefix, 'otel'),
          tenant,
          holdMs: config.spansHoldMs,
          catalogue,
          fingerprintKey,
          identityKey,
        }),
      )
      logger.info('reading spans', { topic: spansTopic, tenant })
    }
    const { exportUrl: url, exportHeaders = [] } = config
    if (url !== undefined) {
      const group = consumerGroup(config.topicPrefix, 'otel-export')
      const headers = Object.fromEntries(exportHeaders.map(splitHeader))
      add(await runDecisionSpans({ ...context, group, url, headers }))
      logger.info('exporting decisions as spans', { topic: topics.decisions })
    }
    return service.http.url
  })
  isStarted = true
  return { url: value, close: release }
}

function splitHeader(header: string): readonly [string, string] {
  const at = header.indexOf('=')
  return [header.slice(0, at), header.slice(at + 1)]
}
