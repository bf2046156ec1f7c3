import { type PlimsollError, type Topics, approvalRecord } from '@plimsoll/contracts'
import type { SubmitReview } from '@plimsoll/fleet'
import { type IdentitySettings, type Monitor, type RuleFiles, readRuleDocuments, startMonitor } from '@plimsoll/monitor'
import type { EventLog, Logger, Metrics, SessionStore } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { unlessAborted } from './deployment.js'
import { type Samples, createSamples } from './format/tally.js'

/** `metrics`, with each value that is observed in the histogram `name` shown to `onValue` as well. */
export function tapHistogram(metrics: Metrics, name: string, onValue: (value: number) => void): Metrics {
  return {
    counter: (spec) => metrics.counter(spec),
    gauge: (spec) => metrics.gauge(spec),
    histogram: (spec) => {
      const histogram = metrics.histogram(spec)
      if (spec.name !== name) return histogram
      return {
        observe: (labels, value) => {
          onValue(value)
          histogram.observe(labels, value)
        },
      }
    },
    text: () => metrics.text(),
    contentType: metrics.contentType,
  }
}

export interface OwnMonitorOptions {
  readonly log: EventLog
  readonly store: SessionStore
  readonly topics: Topics
  readonly group: string
  /** Of the topics that are made where there are none. */
  readonly partitions: number
  readonly replicas?: number | undefined
  readonly logger: Logger
  readonly signingKey?: string | undefined
  readonly identity?: IdentitySettings | undefined
  /** Those that ship with Plimsoll where it is left out. */
  readonly rules?: RuleFiles
}

/** A monitor in this process. */
export interface OwnMonitor {
  readonly monitor: Monitor
  readonly metrics: Metrics
  /** Time that deciding took, microseconds an event. */
  readonly decisionMicros: Samples
  /** Rejects when it cannot go on; never resolves. */
  readonly failed: Promise<never>
}

export async function startOwnMonitor(options: OwnMonitorOptions): Promise<OwnMonitor> {
  const { partitions, replicas, rules = {}, ...rest } = options
  const documents = await readRuleDocuments(rules)
  const decisionMicros = createSamples()
  const metrics = createMetrics()
  let fail: (error: PlimsollError) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // Anyone who races against it hears of it; nobody else has to.
  failed.catch(() => undefined)
  const monitor = startMonitor({
    ...rest,
    documents,
    create: { partitions, ...(replicas !== undefined && { replicas }) },
    metrics: tapHistogram(metrics, 'decision_seconds', (seconds) => decisionMicros.add(seconds * 1e6)),
    onFatal: (error) => fail(error),
  })
  return { monitor, metrics, decisionMicros, failed }
}

/** Resolves when the monitor runs. Rejects with what is fatal to it, and with `closed` when the process is asked to end before. */
export async function whenRunning({ monitor, failed }: OwnMonitor, signal: AbortSignal): Promise<void> {
  await unlessAborted(Promise.race([monitor.started, failed]), signal, 'interrupted before the monitor ran')
}

/** Publishes what a simulated human says to a question, signed with `signingKey`. */
export function createReviewer(
  log: Pick<EventLog, 'produce'>,
  eventsTopic: string,
  signingKey: string,
): SubmitReview {
  return async ({ id: decisionId, eventId, sessionId, argumentsDigest, expiresAt = 0 }, review) => {
    const asked = { sessionId, decisionId, argumentsDigest, expiresAt }
    const reported = {
      ...review,
      ...asked,
      id: `${eventId}.review`,
      producer: 'plimsoll-cli',
      timeMs: Date.now(),
    }
    await log.produce(eventsTopic, [approvalRecord(reported, signingKey)])
  }
}
