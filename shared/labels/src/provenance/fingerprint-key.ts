import { createHmac } from 'node:crypto'

/** Bytes of a fingerprinter's key: 16 for the hash of values, 4 for the choice of stretches of text. */
export const FINGERPRINT_KEY_BYTES = 20

/**
 * The key of a root session and everything it delegates to: HMAC-SHA-256 by the deployment's key over the root session's id, cut to
 * `FINGERPRINT_KEY_BYTES`. Anyone who lacks the deployment's key can neither make fingerprints nor tell two sessions' values equal.
 */
export function keyOfRoot(deploymentKey: string | Uint8Array, rootSessionId: string): Uint8Array {
  const mac = createHmac('sha256', deploymentKey).update(`plimsoll fingerprints\n${rootSessionId}`).digest()
  return new Uint8Array(mac.subarray(0, FINGERPRINT_KEY_BYTES))
}
