import type { Clock, Registry } from '@plimsoll/runtime'

/** What the monitor asks of the registry. */
export type MonitorRegistry = Pick<Registry, 'document' | 'report' | 'refresh'>

/** A registry that is still being opened: it knows nothing yet, and a refresh waits for it. */
export interface OpeningRegistry extends MonitorRegistry {
  /** It is open. */
  opened(registry: Registry): void
  /** It never will be. */
  failed(error: unknown): void
}

export function createOpeningRegistry(): OpeningRegistry {
  let registry: Registry | undefined
  let open: (registry: Registry) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const opening = new Promise<Registry>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  opening.catch(() => {})
  return {
    document: (version) => registry?.document(version),
    report: (partition) => registry?.report(partition),
    refresh: async (signal) => {
      // Opening it has read it to its end.
      if (registry) await registry.refresh(signal)
      else await opening
    },
    opened: (given) => {
      registry = given
      open(given)
    },
    failed: (error) => fail(error),
  }
}

/** Sessions can name versions that never were: they have the registry read again at most so often. */
const REFRESH_EVERY_MS = 10_000

/** Reads the registry again unless that was done lately; tells whether it did. */
export function createRareRefresh(registry: MonitorRegistry, clock: Clock): () => Promise<boolean> {
  let nextMs = 0
  return async () => {
    const now = clock.now()
    if (now < nextMs) return false
    nextMs = now + REFRESH_EVERY_MS
    await registry.refresh()
    return true
  }
}
