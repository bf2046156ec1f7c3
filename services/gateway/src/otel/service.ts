import { topicsOf } from '@plimsoll/contracts'
import { type Consumption, type OnRelease, withReleasers } from '@plimsoll/runtime'
import { openService } from '@plimsoll/runtime/service'
import { runDecisionSpans } from './decisions/run-decision-spans.js'
import { createOtelMetrics } from './metrics.js'
import type { RunningOtel } from './run-otel.js'
import { type OtelConfig, type OtelContext, startReading } from './settings.js'

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

/** Reads spans from Kafka and sends those of decisions, with metrics and probes. Resolves when it consumes; throws on a taken port. */
export async function startOtelService(options: OtelServiceOptions): Promise<OtelService> {
  const parts: Part[] = []
  let isStarted = false
  const isReady = () => isStarted && parts.every((part) => part.isRunning())
  const { value, release } = await withReleasers((onRelease) =>
    acquire(options, { parts, isReady, onRelease }),
  )
  isStarted = true
  return { url: value.url, close: release }
}

type Part = Pick<RunningOtel, 'isRunning'>

interface Acquiring {
  readonly parts: Part[]
  readonly isReady: () => boolean
  readonly onRelease: OnRelease
}

async function acquire(
  { config, write, signal }: OtelServiceOptions,
  { parts, isReady, onRelease }: Acquiring,
) {
  const { logger, metrics, http, log } = await openService({ config, write, isReady, onRelease })
  const otelMetrics = createOtelMetrics(metrics)
  const context = { log, topics: topicsOf(config.topicPrefix), metrics: otelMetrics, logger, signal }
  if (config.readsSpans) {
    const reading = await startReading(config, context)
    onRelease(() => reading.close())
    parts.push(reading)
  }
  const sending = await startSending(config, context)
  if (sending) {
    onRelease(() => sending.close())
    parts.push(sending)
  }
  return { url: http.url }
}

async function startSending(config: OtelConfig, context: OtelContext): Promise<Consumption | undefined> {
  const { exportUrl: url, exportGroup: group, exportHeaders = [] } = config
  if (url === undefined) return undefined
  const headers = Object.fromEntries(exportHeaders.map((header) => splitOnce(header, '=')))
  const running = await runDecisionSpans({ ...context, group, url, headers })
  context.logger.info('sending spans of decisions', { topic: context.topics.decisions })
  return running
}

function splitOnce(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + 1)]
}
