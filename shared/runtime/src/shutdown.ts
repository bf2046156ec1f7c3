type Release = () => unknown

/** Registers the release of a resource that was just acquired. */
export type OnRelease = (release: Release) => void

export interface Acquired<T> {
  readonly value: T
  /**
   * Releases everything in reverse order, one after the other, even if some releases fail. Rejects with the only failure, or with an
   * `AggregateError`. A second call waits for the first.
   */
  readonly release: () => Promise<void>
}

/**
 * Runs `acquire`, which registers a release for each resource it acquires. If it fails, acquired resources are released in reverse order
 * before it rejects.
 *
 * @example
 * const { value: server, release } = await withReleasers(async (onRelease) => {
 *   const store = createStore()
 *   onRelease(() => store.close())
 *   return startServer(store)
 * })
 */
export async function withReleasers<T>(acquire: (onRelease: OnRelease) => Promise<T>): Promise<Acquired<T>> {
  const releases: Release[] = []
  try {
    const value = await acquire((release) => releases.push(release))
    let released: Promise<void> | undefined
    return { value, release: () => (released ??= releaseAll(releases)) }
  } catch (error) {
    // Report the first failure: a failing release would hide it.
    await releaseAll(releases).catch(() => {})
    throw error
  }
}

async function releaseAll(releases: Release[]): Promise<void> {
  const failures: unknown[] = []
  for (let release = releases.pop(); release; release = releases.pop()) {
    try {
      await release()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, 'several releases have failed')
}
