import type { Fingerprint } from '@plimsoll/contracts'
import { scanTokens, type Tokens } from '../text/tokens.js'
import { argumentText } from './argument-text.js'
import { createFingerprintList } from './fingerprint-list.js'
import { proposalFingerprints } from './of-proposal.js'
import { resultFingerprints, type ResultFingerprints } from './of-result.js'
import { taskFingerprints } from './of-task.js'
import { createSipHash } from './siphash.js'
import { FINGERPRINT_KEY_BYTES } from './fingerprint-key.js'

/** Parts of a text, each `[start, end)` in UTF-16 code units, in order. */
export type Segments = readonly (readonly [start: number, end: number])[]

/**
 * Turns texts into the fingerprints of their telling values, at most `FINGERPRINTS_MAX` a list, the most telling first. Holds a key
 * and nothing of the texts. Nothing that it is given makes it throw, and its time is linear in what it reads.
 */
export interface Fingerprinter {
  task(text: string): Fingerprint[]
  /** `values` are the call's arguments, any JSON value. */
  proposal(tool: string, description: string | undefined, values: unknown): Fingerprint[]
  /** `tokens` are the text's; `segments` are what reads like instructions in it. */
  result(text: string, tokens: Tokens, segments: Segments): ResultFingerprints
}

/**
 * A fingerprinter under the key that `keyOfRoot` gives.
 *
 * @example
 * const { proposal } = createFingerprinter(keyOfRoot(deploymentKey, 'session-1'))
 * proposal('send_email', undefined, { to: 'ann@example.com' }) // ['a…', 't…', 't…', …]
 */
export function createFingerprinter(key: Uint8Array): Fingerprinter {
  if (key.length < FINGERPRINT_KEY_BYTES)
    throw new RangeError(`expected a key of ${FINGERPRINT_KEY_BYTES} bytes`)
  const list = createFingerprintList(createSipHash(key))
  const seed = new DataView(key.buffer, key.byteOffset).getUint32(16, true)
  return {
    task: (text) => taskFingerprints(list, seed, text, scanTokens(text)),
    proposal: (tool, description, values) =>
      proposalFingerprints(list, seed, { tool, description, given: argumentText(values) }),
    result: (text, tokens, segments) => resultFingerprints(list, seed, text, tokens, segments),
  }
}
