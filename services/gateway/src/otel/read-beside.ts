import { startReading, type OtelGround, type ReadingConfig } from './start-reading.js'

/** Spans being read beside something that does not wait for it. */
export interface ReadingBeside {
  /** Tells what is held. Harmless a second time. */
  close(): Promise<void>
}

/** Begins to read spans once there are Kafka and the topic; whoever calls goes on at once, and is not held up where there never are. */
export function readBeside(config: ReadingConfig, { signal, ...ground }: OtelGround): ReadingBeside {
  const closing = new AbortController()
  const own = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
  const starting = startReading(config, { ...ground, signal: own }).catch((error: unknown) => {
    if (!own.aborted) ground.logger.error('no spans are read', { error })
    return undefined
  })
  return {
    close: async () => {
      closing.abort()
      await (await starting)?.close()
    },
  }
}
