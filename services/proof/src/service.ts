import { topicsOf } from '@plimsoll/contracts'
import { withReleasers } from '@plimsoll/runtime'
import { createMetrics } from '@plimsoll/runtime/metrics'
import { openService } from '@plimsoll/runtime/service'
import { createProofMetrics } from './metrics.js'
import { type Recorder, startRecorder } from './record/recorder.js'
import type { ProofConfig } from './settings.js'
import { readSigningKey } from './tree/keys.js'

export interface ProofService {
  /** Of its metrics and probes. */
  readonly probesUrl: string
  close(): Promise<void>
}

export interface ProofServiceOptions {
  readonly config: ProofConfig
  /** Takes the log's lines. */
  readonly write: (line: string) => void
  /** Ends it, also while it waits for Kafka at its start; it then throws `closed`. */
  readonly signal: AbortSignal
}

/** The recorder on Kafka, with metrics and probes. Resolves when it reads the topics; rejects as `startRecorder` and `readSigningKey` do. */
export async function startProofService({
  config,
  write,
  signal,
}: ProofServiceOptions): Promise<ProofService> {
  const key = await readSigningKey(config.keyFile)
  let running: Recorder | undefined
  const metrics = createMetrics()
  const own = createProofMetrics(metrics)
  const notReady = async () => {
    const why = !running
      ? 'it waits for Kafka and its topics'
      : running.isRunning()
        ? undefined
        : 'the log cannot be read: Kafka does not answer'
    own.ready(why === undefined)
    return why
  }
  const { value, release } = await withReleasers(async (onRelease) => {
    const { logger, http, log } = await openService({ config, metrics, write, notReady, onRelease })
    const recorder = await startRecorder({
      log,
      topics: topicsOf(config.topicPrefix),
      folder: config.folder,
      key,
      signingKey: config.signingKey,
      identityKeys: config.identityKey === undefined ? [] : [config.identityKey],
      checkpointMs: config.checkpointSeconds * 1_000,
      metrics: own,
      logger,
      signal,
    })
    onRelease(() => recorder.close())
    running = recorder
    logger.info('recording proofs', { folder: config.folder })
    return { probesUrl: http.url }
  })
  return { ...value, close: release }
}
