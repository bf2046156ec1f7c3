import { createHmac } from 'node:crypto'

/** Key length in bytes: 16 for hashing values, 4 for choosing passages of text. */
export const FINGERPRINT_KEY_BYTES = 20

/**
 * The key of a root session and its delegated sessions: HMAC-SHA-256 of the root session's id under the deployment's key, cut to
 * `FINGERPRINT_KEY_BYTES`. Without the deployment's key nobody can create fingerprints or compare the values of two sessions.
 */
export function keyOfRoot(deploymentKey: string | Uint8Array, rootSessionId: string): Uint8Array {
  const mac = createHmac('sha256', deploymentKey).update(`plimsoll fingerprints\n${rootSessionId}`).digest()
  return new Uint8Array(mac.subarray(0, FINGERPRINT_KEY_BYTES))
}
