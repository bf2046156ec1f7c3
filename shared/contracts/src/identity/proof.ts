import { createHmac, timingSafeEqual } from 'node:crypto'

/** Header of an agent's event: the HMAC of the record's value under the key of its session. */
export const PROOF_HEADER = 'plimsoll-proof'

/** Characters of a proof: an HMAC-SHA-256 in base64url. */
export const PROOF_CHARS = 43

/**
 * The key of session `id`, by which every event of its agent is proved. Nobody who has it can make that of another, nor a token: what a
 * token signs holds no space. Source: docs/decisions/20261122-enforcement.md, identity.
 */
export const sessionKeyOf = (id: string, key: string): Buffer =>
  createHmac('sha256', key).update(`plimsoll session ${id}`).digest()

/** What `PROOF_HEADER` says of a record with `value` under its session's key. */
export const proofOf = (value: string | Uint8Array, sessionKey: Buffer): string =>
  createHmac('sha256', sessionKey).update(value).digest('base64url')

/** Whether `proof` proves that `value` was written by who holds the key of session `id`: one that comes of one of `keys`. */
export function isProved(
  value: string | Uint8Array,
  id: string,
  proof: string,
  keys: readonly string[],
): boolean {
  if (proof.length !== PROOF_CHARS) return false
  const given = Buffer.from(proof)
  return keys.some((key) => {
    const expected = Buffer.from(proofOf(value, sessionKeyOf(id, key)))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
