type Release = () => Promise<void> | void

/** Releases what was acquired, in reverse order, even if some releases fail. */
export interface Releasers {
  add(release: Release): void
  /** Harmless a second time. */
  releaseAll(): Promise<void>
}

export function createReleasers(): Releasers {
  const releases: Release[] = []
  return {
    add: (release) => {
      releases.push(release)
    },
    releaseAll: async () => {
      const errors: unknown[] = []
      for (let release = releases.pop(); release !== undefined; release = releases.pop()) {
        try {
          await release()
        } catch (error) {
          errors.push(error)
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, 'not everything could be released')
    },
  }
}

/** Runs `acquire`; if it fails, what it had registered by then is released before the failure goes on. */
export async function unwindOnFailure<T>(acquire: (releasers: Releasers) => Promise<T>): Promise<T> {
  const releasers = createReleasers()
  try {
    return await acquire(releasers)
  } catch (error) {
    // Report the first failure; a failing release would only hide it.
    await releasers.releaseAll().catch(() => undefined)
    throw error
  }
}
