import { UNREADABLE, type StoredRecord } from '../session-store.js'

/**
 * A session record as one Redis string: `<revision> <bytes of the body>\n<body><outbox>`. The revision comes first, so that a script
 * compares it from a few bytes of a long value; a string takes half the memory of a hash.
 */
export function encodeRecord(revision: number, body: string, outbox: string): string {
  return `${revision} ${Buffer.byteLength(body)}\n${body}${outbox}`
}

/** Bytes that hold the revision and the length in any record. */
export const HEAD_BYTES_MAX = 32

const NEWLINE = 0x0a

/** `UNREADABLE` where the stored bytes are none of ours. */
export function decodeRecord(stored: Buffer): StoredRecord {
  const end = stored.subarray(0, HEAD_BYTES_MAX).indexOf(NEWLINE)
  const [, revision, length] = /^([1-9]\d*) (\d+)$/.exec(stored.toString('latin1', 0, Math.max(end, 0))) ?? []
  const bodyEnd = end + 1 + Number(length)
  if (revision === undefined || bodyEnd > stored.length) return UNREADABLE
  return {
    revision: Number(revision),
    body: stored.toString('utf8', end + 1, bodyEnd),
    outbox: stored.toString('utf8', bodyEnd),
  }
}
