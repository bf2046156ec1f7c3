interface Service {
  close(): Promise<void>
}

/** Runs the service that `start` begins until `signal` aborts, then closes it; one that never came up, because it was asked to end before, is none. */
export async function serveUntil(signal: AbortSignal, start: () => Promise<Service>): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const service = await start().catch((error: unknown) => {
    // Asked to end while it waited for Kafka.
    if (signal.aborted) return undefined
    throw error
  })
  if (!service) return
  if (!signal.aborted) await ended
  await service.close()
}
