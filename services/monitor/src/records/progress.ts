import { PlimsollError } from '@plimsoll/contracts'
import { type SessionState, decodeState } from '@plimsoll/engine'
import type { RecordWrite, StoredRecord } from '@plimsoll/runtime'
import { type Emission, decodeOutbox } from './emission.js'

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

/** What the store holds of a session. */
export interface Held {
  readonly id: string
  /** The revision that a write must name. */
  readonly revision: number
  /** Of the last event folded; `NO_OFFSET` where there is no record. */
  readonly offset: bigint
  readonly state: SessionState | undefined
  readonly outbox: readonly Emission[]
  /** There is a record, but nobody can be judged by it. */
  readonly isLost: boolean
}

/**
 * Reads the record of session `id`. One that cannot be read, or that was last written before what is `trustedFrom`, is lost. Throws
 * `record_too_new` for one of a newer layout.
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

/** The session as if it had never been, where a rebuild has found its start: what cannot be read is then written over. */
export const startedOver = (held: Held): Held => ({ ...held, isLost: false })

/** The body of a session's record. */
export const bodyOf = (offset: bigint, encodedState: string): string => `${offset} ${encodedState}`
