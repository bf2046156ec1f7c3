import { PlimsollError } from '@plimsoll/contracts'
import type { LineageStore } from '../ports/stores.js'
import { type Clock, systemClock } from '../timing.js'

export interface EmbeddedLineagesOptions {
  /** Tells when lineages expire. */
  readonly clock?: Clock
  /** Lineages held at a time; 100,000 by default. Where there is no room, `tell` rejects with `store_unavailable`. */
  readonly lineagesMax?: number
  /** What the store holds; its own by default, which is gone with it. */
  readonly lineages?: EmbeddedLineages
}

/** Lineages in this process, the longest labels-only first. */
export type EmbeddedLineages = Map<string, Lineage>

interface Lineage {
  readonly entries: Map<string, string>
  expiresAtMs: number
}

/** A `LineageStore` in this process. */
export function createEmbeddedLineages(options: EmbeddedLineagesOptions = {}): LineageStore {
  const { clock = systemClock, lineagesMax = 100_000, lineages = new Map() } = options
  let isClosed = false
  const assertOpen = () => {
    if (isClosed) throw new PlimsollError('closed', 'the store has been closed')
  }
  const find = (name: string): Lineage | undefined => {
    const found = lineages.get(name)
    if (!found || found.expiresAtMs > clock.now()) return found
    lineages.delete(name)
    return undefined
  }

  /** One new lineage needs one place, and the first is the one labels-only for longest. */
  function makeRoom(): void {
    if (lineages.size < lineagesMax) return
    for (const name of lineages.keys()) {
      find(name)
      break
    }
    if (lineages.size >= lineagesMax)
      throw new PlimsollError('store_unavailable', `\`lineagesMax\` (${lineagesMax}) is reached`)
  }

  return {
    read: async (name) => {
      assertOpen()
      return Array.from(find(name)?.entries ?? [], ([id, body]) => ({ id, body }))
    },
    report: async (name, { id, body }, { ttlMs, keptMax, instead = [] }) => {
      assertOpen()
      const found = find(name)
      if (!found) makeRoom()
      const { entries } = found ?? { entries: new Map<string, string>() }
      for (const each of instead)
        if (each.id !== id && entries.get(each.id) === each.body) entries.delete(each.id)
      if (!entries.has(id) && entries.size >= keptMax) return false
      entries.set(id, body)
      lineages.delete(name)
      lineages.set(name, { entries, expiresAtMs: clock.now() + ttlMs })
      return true
    },
    ping: async () => assertOpen(),
    close: async () => {
      isClosed = true
    },
  }
}
