import type { Clock, Registry } from '@plimsoll/runtime'

/** What the monitor uses of the registry. */
export type MonitorRegistry = Pick<Registry, 'document' | 'report' | 'refresh'>

/** A registry that is `opening`: it is empty until then, and a refresh waits for it. */
export function createOpeningRegistry(opening: Promise<Registry>): MonitorRegistry {
  let registry: Registry | undefined
  opening.then(
    (opened) => (registry = opened),
    () => {},
  )
  return {
    document: (version) => registry?.document(version),
    report: (partition) => registry?.report(partition),
    refresh: async (signal) => {
      // Opening reads it to its end.
      if (registry) await registry.refresh(signal)
      else await opening
    },
  }
}

/** Sessions can name versions that never existed: they cause a refresh at most this often. */
const REFRESH_EVERY_MS = 10_000

/** Refreshes the registry unless it was refreshed lately; resolves with whether it did. */
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
