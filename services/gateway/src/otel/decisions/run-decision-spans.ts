import { decisionSchema, type Decision, type Topics } from '@plimsoll/contracts'
import {
  systemClock,
  type Batch,
  type Clock,
  type Consumption,
  type EventLog,
  type Logger,
  type LogRecord,
} from '@plimsoll/runtime'
import { createLru } from '../lru.js'
import type { OtelMetrics } from '../metrics.js'
import { decisionSpanOf } from './decision-span.js'
import { createSpanSender } from './span-sender.js'

export interface RunDecisionSpansOptions {
  readonly log: EventLog
  readonly topics: Topics
  /** Consumer group of those who emit. */
  readonly group: string
  /** Of an OTLP/HTTP endpoint for traces, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly metrics: OtelMetrics
  readonly logger: Logger
  readonly clock?: Clock
  readonly signal?: AbortSignal | undefined
}

/** Decisions by which repeated ones are known. */
const SEEN_MAX = 10_000
/** Older decisions have no span: whoever begins to emit does not begin with the history. */
const AGE_MAX_MS = 900_000
const TIMEOUT_MS = 10_000
/** Spans of one request. */
const SPANS_MAX = 512

/**
 * Emits a span for every decision but those that repeat another. What an endpoint does not take is counted and left: a trace is worth
 * nobody's waiting. Resolves once the group has been joined; rejects as `consume` does.
 */
export async function runDecisionSpans(options: RunDecisionSpansOptions): Promise<Consumption> {
  const { log, topics, url, headers, timeoutMs = TIMEOUT_MS, metrics, logger, clock = systemClock } = options
  const sender = createSpanSender({ url, ...(headers && { headers }), timeoutMs })
  const seen = createLru<true>(SEEN_MAX)

  function isNew({ id, kind }: Decision, { timeMs }: LogRecord): boolean {
    if (kind === 'repeat' || seen.has(id) || clock.now() - timeMs > AGE_MAX_MS) return false
    seen.set(id, true)
    return true
  }

  async function onBatch(batch: Batch): Promise<void> {
    const { records } = batch
    for (let from = 0; from < records.length; from += SPANS_MAX) {
      const part = records.slice(from, from + SPANS_MAX)
      const spans = part.flatMap((record) => {
        const decision = decisionIn(record)
        return decision && isNew(decision, record) ? [decisionSpanOf(decision, record)] : []
      })
      const { exported, failed, error } = await sender.send(spans)
      if (error) logger.warn('spans of decisions were not exported', { error, count: failed })
      metrics.decisionSpans('exported', exported)
      metrics.decisionSpans('failed', failed)
      const last = part.at(-1)
      if (last) await batch.commit(last.offset)
    }
  }

  const consumption = await log.consume({
    topic: topics.decisions,
    group: options.group,
    onBatch,
    ...(options.signal && { signal: options.signal }),
    onError: (error) => logger.warn('a batch of decisions is taken again', { error }),
  })
  return {
    isRunning: () => consumption.isRunning(),
    close: async () => {
      await consumption.close()
      await sender.close()
    },
  }
}

function decisionIn({ value }: LogRecord): Decision | undefined {
  try {
    return decisionSchema.safeParse(JSON.parse(String(value))).data
  } catch {
    return undefined
  }
}
