import { test } from 'node:test'
import type { ReadStore } from '@plimsoll/console'

export interface ReadStoreUnderTest {
  readonly name: string
  /** An empty database. */
  readonly open: () => Promise<ReadStore>
}

export const LIMITS = {
  ageMaxMs: 1e9,
  sessionsMax: 100,
  stepsOfSessionMax: 100,
  notesOfSessionMax: 100,
  closedOfSessionMax: 100,
}

/** A test that gets an empty database, which is closed after it. */
export const createIt =
  (open: ReadStoreUnderTest['open']) =>
  (what: string, run: (store: ReadStore) => Promise<void>): void => {
    test(what, async () => {
      const store = await open()
      try {
        await run(store)
      } finally {
        await store.close()
      }
    })
  }
