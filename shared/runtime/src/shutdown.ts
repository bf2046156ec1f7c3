type Release = () => unknown

/** Registers how to give back what has just been acquired. */
export type OnRelease = (release: Release) => void

export interface Acquired<T> {
  readonly value: T
  /**
   * Gives everything back, the last acquired first, one after the other, however many of the releases fail. Rejects with the only
   * failure, or with an `AggregateError` of all. A second call waits for the first.
   */
  readonly release: () => Promise<void>
}

/**
 * Runs `acquire`, which registers a release for each thing it acquires. If it fails, what it has acquired by then is given back in
 * reverse order before the failure goes on.
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
    // The first failure is the one to tell; a failing release would only hide it.
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
