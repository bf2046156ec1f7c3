import type { RecordWrite, StoredRecord } from '@plimsoll/runtime'

/** Offset before the first one. */
export const NO_OFFSET = -1n

/** Records of the monitor's own live as long as their partition does. */
export const FOREVER_MS = 10 * 365 * 24 * 3_600_000

/** How far the store is with one partition. Source: docs/decisions/20261122-rebuild.md. */
export interface Progress {
  /** Everything up to this offset is in the store. */
  readonly offset: bigint
  /** The latest append time up to it. */
  readonly timeMs: number
  /** Offset of the last control change that was taken; `NO_OFFSET` where none was. */
  readonly controls: bigint
  /**
   * Records of sessions last heard of before this offset are not trusted: between them and what could be read back there are events that nobody
   * has seen. `NO_OFFSET` where all are.
   */
  readonly trustedFrom: bigint
}

/** A partition's progress with the revision that a write must name; `progress` undefined where there is none that can be read. */
export interface StoredProgress {
  readonly revision: number
  readonly progress: Progress | undefined
}

/** The id of a partition's progress record. No session has it, for `#` is in no id. */
export const progressIdOf = (partition: number): string => `#${partition}/progress`

export function readProgress(stored: StoredRecord | undefined): StoredProgress {
  return { revision: stored?.revision ?? 0, progress: stored && parse(stored.body) }
}

/** The write that takes a partition's progress from what is `stored` to `next`. */
export function progressWrite(partition: number, stored: StoredProgress, next: Progress): RecordWrite {
  const { offset, timeMs, controls, trustedFrom } = next
  return {
    id: progressIdOf(partition),
    expected: stored.revision,
    body: `${offset} ${timeMs} ${controls} ${trustedFrom}`,
    outbox: '',
    ttlMs: FOREVER_MS,
  }
}

/** The write that says that a partition is being rebuilt from nothing: it has no progress until that is done. */
export const claimWrite = (partition: number, { revision }: StoredProgress): RecordWrite => ({
  id: progressIdOf(partition),
  expected: revision,
  body: 'rebuilding',
  outbox: '',
  ttlMs: FOREVER_MS,
})

function parse(body: string): Progress | undefined {
  const [, offset, timeMs, controls, trustedFrom] = /^(-?\d+) (\d+) (-?\d+) (-?\d+)$/.exec(body) ?? []
  if (!offset || !timeMs || !controls || !trustedFrom) return undefined
  return {
    offset: BigInt(offset),
    timeMs: Number(timeMs),
    controls: BigInt(controls),
    trustedFrom: BigInt(trustedFrom),
  }
}
