import { PlimsollError } from '@plimsoll/contracts'
import { decodeState, type SessionState } from '@plimsoll/engine'
import type { StoredRecord } from '@plimsoll/runtime'
import { decodeOutbox, type Emission } from './emission.js'
import { NO_OFFSET } from './progress.js'

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
