import { PlimsollError } from '@plimsoll/contracts'
import type { LineageStore } from '../ports/stores.js'
import { type Clock, systemClock } from '../timing.js'

export interface EmbeddedLineagesOptions {
  /** Decides when lineages expire. */
  readonly clock?: Clock
  /** Most lineages; 100,000 by default. Beyond, `report` rejects with `store_unavailable`. */
  readonly lineagesMax?: number
  /** Shared lineages; by default the store has its own. */
  readonly lineages?: EmbeddedLineages
}

/** Lineages in this process, the least recently reported first. */
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

  /** Drops the least recently reported lineage if it has expired. */
  function makeRoom(): void {
    if (lineages.size < lineagesMax) return
    const [oldest] = lineages.keys()
    if (oldest !== undefined) find(oldest)
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
