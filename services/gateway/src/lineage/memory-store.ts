import { systemClock, type Clock, type LineageStore } from '@plimsoll/runtime'
import { createEmbeddedLineages } from '@plimsoll/runtime/embedded'
import { worstBody } from './knowledge.js'
import { LINEAGE_MS } from './lineage.js'

/** The entry that speaks for whatever was read before the store was there. */
const BEFORE = '#before'

/**
 * Lineages in the memory of a gateway whose log outlives it. What sessions had read before it started it cannot know: for as long as
 * that would count, each lineage holds the worst.
 */
export function createMemoryLineages(clock: Clock = systemClock): LineageStore {
  const store = createEmbeddedLineages({ clock })
  const startedAt = clock.now()
  const before = { id: BEFORE, body: worstBody() }
  return {
    ...store,
    read: async (lineage) => {
      const known = await store.read(lineage)
      return clock.now() - startedAt < LINEAGE_MS ? [...known, before] : known
    },
  }
}
