import type { Fingerprint } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { addressedFingerprints } from './addressed.js'
import type { ArgumentText } from './argument-text.js'
import { createFingerprintList } from './fingerprint-list.js'
import { proposalFingerprints, type ProposalText } from './of-proposal.js'
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
  /** `tokens` are those of the text in question, here and below. */
  task(text: string, tokens: Tokens): Fingerprint[]
  proposal(proposal: ProposalText): Fingerprint[]
  /** Of whole arguments that say whom or what a step is about, and that stand in no other argument. */
  addressed(given: ArgumentText): Fingerprint[]
  /** Whether the last list of a proposal passes over telling values or longer stretches of its text. */
  readonly wasPartial: boolean
  /** `segments` are what reads like instructions in the text. */
  result(text: string, tokens: Tokens, segments: Segments): ResultFingerprints
}

/** One for all: a list is made at a time, sessions hold nothing but their key, and functions of one kind are compiled once. */
const sip = createSipHash(new Uint8Array(FINGERPRINT_KEY_BYTES))
const list = createFingerprintList(sip)

/** A fingerprinter under the key that `keyOfRoot` gives. */
export function createFingerprinter(key: Uint8Array): Fingerprinter {
  if (key.length < FINGERPRINT_KEY_BYTES)
    throw new RangeError(`expected a key of ${FINGERPRINT_KEY_BYTES} bytes`)
  const seed = new DataView(key.buffer, key.byteOffset).getUint32(16, true)
  return {
    task: (text, tokens) => {
      sip.use(key)
      return taskFingerprints(list, seed, text, tokens)
    },
    proposal: (proposal) => {
      sip.use(key)
      return proposalFingerprints(list, seed, proposal)
    },
    addressed: (given) => {
      sip.use(key)
      return addressedFingerprints(list, given)
    },
    get wasPartial() {
      return list.wasPartial
    },
    result: (text, tokens, segments) => {
      sip.use(key)
      return resultFingerprints(list, seed, text, tokens, segments)
    },
  }
}
