import { type PlimsollError, type Topics, approvalRecord } from '@plimsoll/contracts'
import type { SubmitReview } from '@plimsoll/fleet'
import {
  type IdentitySettings,
  type Monitor,
  type RuleDocuments,
  type RuleFiles,
  readRuleDocuments,
  startMonitor,
} from '@plimsoll/monitor'
import type { EventLog, Logger, Metrics, SessionStore } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { unlessAborted } from './deployment.js'
import { type Samples, createSamples } from './format/tally.js'

/** `metrics`; `onValue` also gets each value of the histogram `name`. */
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
  /** Partitions of topics that it creates. */
  readonly partitions: number
  readonly replicas?: number | undefined
  readonly logger: Logger
  readonly signingKey?: string | undefined
  readonly identity?: IdentitySettings | undefined
  /** Default: the shipped documents. */
  readonly rules?: RuleFiles
  /** In place of `rules`. */
  readonly documents?: RuleDocuments
}

/** A monitor in this process. */
export interface OwnMonitor {
  readonly monitor: Monitor
  readonly metrics: Metrics
  /** Microseconds that each decision took. */
  readonly decisionMicros: Samples
  /** Rejects on a fatal error; never resolves. */
  readonly failed: Promise<never>
}

export async function startOwnMonitor(options: OwnMonitorOptions): Promise<OwnMonitor> {
  const { partitions, replicas, rules = {}, ...rest } = options
  const documents = options.documents ?? (await readRuleDocuments(rules))
  const decisionMicros = createSamples()
  const metrics = createMetrics()
  let fail: (error: PlimsollError) => void = () => undefined
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // Only those who race against it get the error.
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

/** Resolves when the monitor runs. Rejects with its fatal error, and with `closed` if the process is asked to end first. */
export async function whenRunning({ monitor, failed }: OwnMonitor, signal: AbortSignal): Promise<void> {
  await unlessAborted(Promise.race([monitor.started, failed]), signal, 'interrupted before the monitor ran')
}

/** Publishes the answers of simulated humans, signed with `signingKey`. */
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
