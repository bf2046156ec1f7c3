/**
 * The port to the store of lineages: what the sessions of one agent and user have come to know, for those that begin later. Adapters: `redis/`
 * (ioredis) and `embedded/`. Every adapter passes test/contract/lineage-store.contract.ts. Bodies are opaque text to it.
 *
 * Calls reject with `store_unavailable` where the store does not answer, and with `closed` after `close`.
 */
export interface LineageStore {
  /** What is kept of `lineage`, in no order; empty where nothing is, or nothing was told of it for its time. One round trip. */
  read(lineage: string): Promise<readonly LineageEntry[]>

  /**
   * Keeps `entry` in place of what it said before, and takes away those of `instead` that still stand as they are given; atomically. Answers false, and keeps what
   * there is, where `keptMax` others are kept. One round trip.
   */
  tell(lineage: string, entry: LineageEntry, bounds: LineageBounds): Promise<boolean>

  /** Rejects with `store_unavailable` unless the store answers now. */
  ping(): Promise<void>

  /** Disconnects. Harmless a second time. */
  close(): Promise<void>
}

/** What one session knows. */
export interface LineageEntry {
  readonly id: string
  readonly body: string
}

export interface LineageBounds {
  /** Everything of the lineage goes when nothing was told for so long, milliseconds. */
  readonly ttlMs: number
  readonly keptMax: number
  /** What the entry knows as well. */
  readonly instead?: readonly LineageEntry[]
}
