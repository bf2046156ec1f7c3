import { PlimsollError } from '@plimsoll/contracts'
import { decodeState, type SessionState } from '@plimsoll/engine'
import type { SessionStore, StoredRecord } from '@plimsoll/runtime'

/** A session as its record has it. */
export interface StoredSession {
  readonly id: string
  /** Of the last event in it, in the session's partition. */
  readonly offset: bigint
  readonly state: SessionState
}

/** The session in `record`: the offset of the last event in it, and the state. Throws `record_invalid`, `record_too_new`. */
export function storedSessionOf(id: string, { body }: StoredRecord): StoredSession {
  const [, offset, text] = /^(\d{1,18}) (.*)$/s.exec(body) ?? []
  const decoded = decodeState(text ?? '')
  if (decoded.kind === 'too_new')
    throw new PlimsollError('record_too_new', `the record of session \`${id}\` has layout ${decoded.schema}`)
  if (decoded.kind === 'invalid' || offset === undefined)
    throw new PlimsollError(
      'record_invalid',
      `the record of session \`${id}\` cannot be read, or was given up: its events are answered \`session_state_lost\``,
    )
  return { id, offset: BigInt(offset), state: decoded.state }
}

/** The session `id`; undefined where it has no record. Throws as `storedSessionOf` does. */
export async function findSession(
  store: Pick<SessionStore, 'load'>,
  id: string,
): Promise<StoredSession | undefined> {
  const [record] = await store.load([id])
  return record && storedSessionOf(id, record)
}
