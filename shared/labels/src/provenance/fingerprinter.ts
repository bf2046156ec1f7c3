import { longPattern } from '../text/data.js'
import {
  type Fingerprint,
  type FingerprintLetter,
  FINGERPRINTS_MAX,
  RECORD_FINGERPRINTS_MAX,
} from '@plimsoll/contracts'
import { withPlainPaths } from '../acts/named-places.js'
import { type Tokens, createTokenScanner } from '../text/tokens.js'
import {
  type ArgumentText,
  addressedFingerprints,
  knownFingerprints,
  recordFingerprints,
  threadFingerprints,
} from './argument-text.js'
import { FINGERPRINT_KEY_BYTES } from './fingerprint-key.js'
import { type FingerprintList, NOTHING, createFingerprintList } from './fingerprint-list.js'
import { addGrams } from './grams.js'
import { type ProposalText, proposalFingerprints } from './of-proposal.js'
import { type ResultFingerprints, resultFingerprints, type Segments } from './of-result.js'
import { createSipHash } from './siphash.js'
import type { ShownRecord } from './shown-records.js'
import { linkFingerprints } from './links.js'
import { signaturesIn } from './signature.js'
import { TIERS, createCandidates } from './values/candidates.js'
import { findParts, hiddenStartsOf } from './values/parts.js'
import { wordsOfName } from './values/name-words.js'
import { findValues } from './values/values.js'
import { addFullWords, addNumberedNames, addShortForms, addWord, addWords } from './values/words.js'

/** Values of a task that come before its words, which also need room. */
const VALUES_MAX = 72

/** Names with digits: a table of numbers does not crowd out what follows. */
const NUMBERED_MAX = 32

/** Parts of a task's values, so that a step may name them in another form. */
const PARTS_MAX = 16

/** Values of one message. */
const MESSAGE_MAX = 32

/** Values in one argument, beside the whole. */
const VALUES_IN_MAX = 4
/** A file in a folder of downloads. */
const DOWNLOADED = longPattern('fingerprinter.DOWNLOADED')

const scanMessage = createTokenScanner()
const candidates = createCandidates()
const parts = createCandidates()

/** Fingerprints of a task: its values and words; passages and full forms fill the rest. */
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
    list.addTier(tokens.units, candidates, tier, VALUES_MAX)
  addParts(list, tokens)
  addWords(list, tokens, all, FINGERPRINTS_MAX)
  addShortForms(list, tokens, all, FINGERPRINTS_MAX)
  list.addTier(tokens.units, candidates, TIERS.part, FINGERPRINTS_MAX)
  addFullWords(list, tokens, all, FINGERPRINTS_MAX)
  addNumberedNames(list, tokens, all, Math.min(FINGERPRINTS_MAX, list.size + NUMBERED_MAX))
  addGrams(list, tokens, all, FINGERPRINTS_MAX - list.size, seed)
  return list.take()
}

function addParts(list: FingerprintList, tokens: Tokens): void {
  parts.clear()
  findParts(tokens, hiddenStartsOf(tokens), parts)
  list.addTier(tokens.units, parts, TIERS.variant, list.size + PARTS_MAX)
}

/**
 * Turns texts into keyed fingerprints of their distinctive values, most distinctive first, at most `FINGERPRINTS_MAX` per list. Holds the key
 * and no text. Never throws; linear in what it reads.
 */
export interface Fingerprinter {
  /** `tokens` are those of `text`, here and below. */
  task(text: string, tokens: Tokens): Fingerprint[]
  proposal(proposal: ProposalText): Fingerprint[]
  /** Fingerprints of whole arguments that say whom or what a step addresses and occur in no other argument. */
  addressed(given: ArgumentText, isPush?: boolean): Fingerprint[]
  /** Fingerprints of ids of records that a step is about. */
  records(given: ArgumentText): Fingerprint[]
  /** Fingerprints of ids that go back to where they came from. */
  returned(given: ArgumentText, isKnown: (value: string) => boolean): Fingerprint[]
  /** Of the link that a step goes to: the whole, then each part alone and with its host. */
  link(given: ArgumentText): Fingerprint[]
  /** Fingerprints of texts that name one thing. */
  object(names: readonly string[]): Fingerprint[]
  /** Fingerprints of the distinctive values of a message; at most 32. */
  message(text: string): Fingerprint[]
  /** The fingerprint of one value, of the kind `letter`. */
  named(letter: FingerprintLetter, text: string): Fingerprint
  /** Fingerprints of whole texts, and of the targets and ids in each. */
  valuesIn(texts: readonly string[]): Fingerprint[]
  /** Fingerprints of a file: its whole path, and its name alone where downloads go without one. */
  file(path: string): Fingerprint[]
  /** Fingerprints of people's names. */
  people(names: readonly string[]): Fingerprint[]
  /**
   * Fingerprints of a record that a result shows: its ids, names of limits that it has, amounts, then each name with its words. Empty if nothing of
   * it names it.
   */
  shown(record: ShownRecord, limits?: readonly string[]): Fingerprint[][]
  /** Fingerprints of names that no text has, such as those of limits. */
  names(names: readonly string[]): Fingerprint[]
  /** Whether the last proposal's list omits distinctive values or longer passages of the text. */
  readonly wasPartial: boolean
  /** Whether its text has runs that cannot be read, each within one of its values. */
  readonly wasOpaque: boolean
  /** Fingerprints of what a message has beside its content: names and addresses of who sends, below closing words, and its conversation. */
  beside(given: ArgumentText): Fingerprint[]
  /** `segments` are the passages that read like instructions. `linkParts` is empty unless the text may be sensitive. */
  result(
    text: string,
    tokens: Tokens,
    segments: Segments,
    mayBeSensitive?: boolean,
    keepsLinks?: boolean,
  ): ResultFingerprints
}

/** Shared by all fingerprinters: only one list is built at a time, and sessions should keep nothing but their key. */
const sip = createSipHash(new Uint8Array(FINGERPRINT_KEY_BYTES))
const list = createFingerprintList(sip)

/** @param key from `keyOfRoot` */
export function createFingerprinter(key: Uint8Array): Fingerprinter {
  if (key.length < FINGERPRINT_KEY_BYTES)
    throw new RangeError(`expected a key of ${FINGERPRINT_KEY_BYTES} bytes`)
  const seed = new DataView(key.buffer, key.byteOffset).getUint32(16, true)
  return {
    task: (text, tokens) => {
      sip.use(key)
      const plain = withPlainPaths(text)
      return taskFingerprints(list, seed, plain, plain === text ? tokens : scanMessage(plain))
    },
    proposal: (proposal) => {
      sip.use(key)
      return proposalFingerprints(list, seed, proposal)
    },
    addressed: (given, isPush = false) => {
      sip.use(key)
      return addressedFingerprints(list, given, isPush)
    },
    records: (given) => {
      sip.use(key)
      return recordFingerprints(list, given)
    },
    returned: (given, isKnown) => {
      sip.use(key)
      return knownFingerprints(list, given, isKnown)
    },
    link: (given) => {
      sip.use(key)
      return linkFingerprints(list, seed, given)
    },
    object: (names) => {
      sip.use(key)
      for (const name of names) addName(list, name)
      return list.take()
    },
    message: (text) => {
      sip.use(key)
      const tokens = scanMessage(text)
      candidates.clear()
      findValues(text, tokens, 0, tokens.count, candidates)
      for (const tier of [TIERS.target, TIERS.id, TIERS.name, TIERS.weak])
        list.addTier(tokens.units, candidates, tier, MESSAGE_MAX)
      return list.take()
    },
    named: (letter, text) => {
      sip.use(key)
      list.addText(letter, text)
      return list.take()[0] ?? NOTHING
    },
    valuesIn: (texts) => {
      sip.use(key)
      for (const text of texts) {
        list.addText('n', text)
        const tokens = scanMessage(text)
        candidates.clear()
        findValues(text, tokens, 0, tokens.count, candidates)
        for (const tier of [TIERS.target, TIERS.id])
          list.addTier(tokens.units, candidates, tier, list.size + VALUES_IN_MAX)
      }
      return list.take()
    },
    file: (path) => {
      sip.use(key)
      list.addText('p', path)
      const name = DOWNLOADED.exec(path)?.[1]
      if (name !== undefined) list.addText('p', name)
      return list.take()
    },
    people: (names) => {
      sip.use(key)
      for (const name of names) list.addText('n', name)
      return list.take()
    },
    shown: ({ ids, names, amounts = [] }, limits = []) => {
      sip.use(key)
      for (const id of ids) list.addText('i', id)
      for (const limit of limits.slice(0, 2)) list.addText('p', limit)
      for (const amount of amounts) list.addText('w', amount)
      for (const name of names) addWholeName(list, name)
      const made = list.take()
      return made.length > ids.length ? [made.slice(0, RECORD_FINGERPRINTS_MAX)] : []
    },
    names: (names) => {
      sip.use(key)
      for (const name of names) list.addText('p', name)
      return list.take()
    },
    get wasPartial() {
      return list.wasPartial
    },
    get wasOpaque() {
      return list.wasOpaque
    },
    beside: (given) => {
      sip.use(key)
      const thread = threadFingerprints(list, given)
      const lines = signaturesIn(given)
      if (lines.length === 0) return thread
      for (const line of lines) list.addText('n', line)
      return [...thread, ...list.take()]
    },
    result: (text, tokens, segments, mayBeSensitive, keepsLinks) => {
      sip.use(key)
      return resultFingerprints(list, seed, text, tokens, segments, mayBeSensitive, keepsLinks)
    },
  }
}

/** Words of one name of a record. */
const NAME_WORDS_MAX = 5

/** Adds a name of a record, and its words. */
function addWholeName(to: FingerprintList, name: string): void {
  to.addText('n', name)
  if (name.includes('@')) return
  for (const word of wordsOfName(name).slice(0, NAME_WORDS_MAX))
    if (/\d/.test(word)) {
      if (word.length > 1) to.addText('w', word)
      // A size or an amount with its unit: `120cm`.
      const [, amount] = /^(\d{2,8})\p{L}{1,3}$/u.exec(word) ?? []
      if (amount !== undefined) to.addText('w', amount)
    } else addWord(to, 'w', word)
}

/** Adds a name in the forms in which a task may have it: as it stands, and as a word without its ending. */
function addName(to: FingerprintList, name: string): void {
  if (/^[A-Za-z]+$/.test(name)) addWord(to, 'w', name)
  to.addText('p', name)
}
