import { type Fingerprint, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { type ArgumentText, addressedFingerprints } from './argument-text.js'
import { FINGERPRINT_KEY_BYTES } from './fingerprint-key.js'
import { type FingerprintList, createFingerprintList } from './fingerprint-list.js'
import { addGrams } from './grams.js'
import { type ProposalText, proposalFingerprints } from './of-proposal.js'
import { type ResultFingerprints, resultFingerprints, type Segments } from './of-result.js'
import { createSipHash } from './siphash.js'
import { TIERS, createCandidates } from './values/candidates.js'
import { findParts, hiddenStartsOf } from './values/parts.js'
import { findValues } from './values/values.js'
import { addFullWords, addWords } from './values/words.js'

/** Values of a task before its words, which are to find room. */
const VALUES_MAX = 72

/** What stands inside of its values: a step that names it in another form does as it was asked. */
const PARTS_MAX = 16

const candidates = createCandidates()
const parts = createCandidates()

/** Of a task: its values, its words, and what room is left for stretches and full forms. */
export function taskFingerprints(
  list: FingerprintList,
  seed: number,
  text: string,
  tokens: Tokens,
): Fingerprint[] {
  const all = [0, tokens.count] as const
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  for (const tier of [TIERS.target, TIERS.id, TIERS.name, TIERS.weak])
    list.addTier(text, candidates, tier, VALUES_MAX)
  addParts(list, text, tokens)
  addWords(list, text, tokens, all, FINGERPRINTS_MAX)
  list.addTier(text, candidates, TIERS.part, FINGERPRINTS_MAX)
  addFullWords(list, text, tokens, all, FINGERPRINTS_MAX)
  addGrams(list, text, tokens, all, FINGERPRINTS_MAX - list.size, seed)
  return list.take()
}

function addParts(list: FingerprintList, text: string, tokens: Tokens): void {
  parts.clear()
  findParts(tokens, hiddenStartsOf(tokens), parts)
  list.addTier(text, parts, TIERS.variant, list.size + PARTS_MAX)
}

/**
 * Turns texts into the fingerprints of their distinctive values, at most `FINGERPRINTS_MAX` a list, the most telling first. Holds a key
 * and nothing of the texts. Nothing that it is given makes it throw, and its time is linear in what it reads.
 */
export interface Fingerprinter {
  /** `tokens` are those of the text in question, here and below. */
  task(text: string, tokens: Tokens): Fingerprint[]
  proposal(proposal: ProposalText): Fingerprint[]
  /** Of whole arguments that say whom or what a step is about, and that stand in no other argument. */
  addressed(given: ArgumentText): Fingerprint[]
  /** Whether the last list of a proposal passes over distinctive values or longer stretches of its text. */
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
