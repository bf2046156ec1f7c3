import { PlimsollError } from '@plimsoll/contracts'
import { type SessionState, decodeState } from '@plimsoll/engine'
import type { RecordWrite, StoredRecord } from '@plimsoll/runtime'
import { type Emission, decodeOutbox } from './emission.js'

/** Before the first offset. */
export const NO_OFFSET = -1n

/** Expiry of the monitor's own records, which live as long as their partition. */
export const FOREVER_MS = 10 * 365 * 24 * 3_600_000

/** How far the store is in one partition. Source: docs/decisions/20261122-rebuild.md. */
export interface Progress {
  /** Everything up to this offset is in the store. */
  readonly offset: bigint
  /** The latest append time up to it. */
  readonly timeMs: number
  /** Offset of the last control change; `NO_OFFSET` if there was none. */
  readonly controls: bigint
  /**
   * Session records last written before this offset are not trusted: events after them were gone before they could be replayed. `NO_OFFSET`
   * if all are trusted.
   */
  readonly trustedFrom: bigint
}

/** `revision` is what a write must expect; `progress` is undefined if there is none or it is unreadable. */
export interface StoredProgress {
  readonly revision: number
  readonly progress: Progress | undefined
}

/** The id of a partition's progress record; no session id contains `#`. */
export const progressIdOf = (partition: number): string => `#${partition}/progress`

export function readProgress(stored: StoredRecord | undefined): StoredProgress {
  return { revision: stored?.revision ?? 0, progress: stored && parse(stored.body) }
}

/** The write that moves a partition's progress from `stored` to `next`. */
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

/** The write that marks a partition as being rebuilt: it has no progress until that ends. */
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

/** Another owner of `partition` has written as well. */
export const contended = (partition: number): PlimsollError =>
  new PlimsollError('contended', `partition ${partition} is written by another owner as well`)

/** What the store holds of a session. */
export interface Held {
  readonly id: string
  /** The revision that a write must expect. */
  readonly revision: number
  /** Of the last event folded; `NO_OFFSET` without a record. */
  readonly offset: bigint
  readonly state: SessionState | undefined
  readonly outbox: readonly Emission[]
  /** There is a record, but it is unreadable or not trusted. */
  readonly isLost: boolean
}

/**
 * Reads the record of session `id`. It is lost if it is unreadable or was last written before `trustedFrom`. Throws `record_too_new` for a
 * newer layout.
 */
export function readHeld(id: string, stored: StoredRecord | undefined, trustedFrom: bigint): Held {
  if (!stored) return { id, revision: 0, offset: NO_OFFSET, state: undefined, outbox: [], isLost: false }
  const space = stored.body.indexOf(' ')
  const offset = stored.body.slice(0, space)
  const decoded = decodeState(stored.body.slice(space + 1))
  if (decoded.kind === 'too_new')
    throw new PlimsollError('record_too_new', `the record of session \`${id}\` has layout ${decoded.schema}`)
  const outbox = decodeOutbox(stored.outbox)
  if (decoded.kind === 'invalid' || !outbox || !/^\d+$/.test(offset) || BigInt(offset) < trustedFrom)
    return { ...readHeld(id, undefined, NO_OFFSET), revision: stored.revision, isLost: true }
  return {
    id,
    revision: stored.revision,
    offset: BigInt(offset),
    state: decoded.state,
    outbox,
    isLost: false,
  }
}

/** The body of a session's record. */
export const bodyOf = (offset: bigint, encodedState: string): string => `${offset} ${encodedState}`
