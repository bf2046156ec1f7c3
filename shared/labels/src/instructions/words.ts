import { type Words, readTable, wordsIn } from '../text/data.js'
import { HASH_BASIS, HASH_PRIME } from '../text/tokens.js'
import { CLASSES, CLASS_COUNT, bitOf } from './features.js'

/** Size of the hash table, a power of two; a third is used. */
const SLOTS = 8_192

/** Key and mask are neighbours, so that a look-up touches one cache line. */
const table = new Int32Array(SLOTS * 2)
const LAST = SLOTS * 2 - 2
const FILTERED = 8_191

/** One bit per key. Most unlisted words end here, in one kilobyte that stays in the cache. */
const filter = new Int32Array(256)
/** One bit for the first three letters of words that may be misspelt, and one for the last three. */
const heads = new Int32Array(1_024)
const tails = new Int32Array(1_024)

/** One bit for the first two letters, the last one and the length of each listed word. Most words end here, without being hashed. */
const shapes = new Int32Array(2_048)

const shapeOf = (first: number, second: number, last: number, length: number): number =>
  (((first & 31) << 11) | ((second & 31) << 6) | ((last & 31) << 1)) ^ ((length * 2_053) & 0xffff)

/** Words of this length also match with two letters exchanged, and with one letter wrong, added or missing, by their ends. */
const LONG = 9
const HEAD = 6
const TAIL = 7

/** Key of the first letters and the last one. */
const headKey = (text: string, start: number, end: number): number =>
  (hashOf(text, start, start + HEAD) * 31 + hashOf(text, end - 1, end)) | 1
/** Key of the first letter and the last ones. */
const tailKey = (text: string, start: number, end: number): number =>
  (hashOf(text, end - TAIL, end) * 29 + hashOf(text, start, start + 1)) & ~1

/** Classes whose words attackers misspell to avoid the lists. */
const MISSPELT = bitOf('override', 'prior', 'directive', 'model', 'urgent', 'authority', 'order')

/**
 * Words by class. English first, with base forms of verbs because requests use those; then common words of German, French, Spanish, Italian,
 * Portuguese and Dutch, and some of Russian and Polish. The classes `place`, `number`, `name` and `identifier` have no words: the shape
 * of a token decides.
 */
const LEXICA = ['english', 'otherLanguages'].map((name) =>
  readTable<Readonly<Record<string, Words>>>('instructions', name),
)

for (const lexicon of LEXICA)
  for (let index = 0; index < CLASS_COUNT; index++) {
    const name = CLASSES[index]
    const words = name === undefined ? undefined : lexicon[name]
    for (const word of words === undefined ? [] : wordsIn(words)) learn(word, 1 << index)
  }

function learn(word: string, bit: number): void {
  learnForm(word, bit)
  if (word.length < LONG || (bit & MISSPELT) === 0) return
  for (let at = 1; at + 1 < word.length; at++)
    learnForm(word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2), bit)
  add(headKey(word, 0, word.length), bit)
  add(tailKey(word, 0, word.length), bit)
  for (const form of [word, word.replaceAll("'", '’')]) {
    setBit(heads, lettersIn(form, 0))
    setBit(tails, lettersIn(form, form.length - 3))
  }
}

function learnForm(word: string, bit: number): void {
  add(hashOf(word, 0, word.length), bit)
  const last = word.length - 1
  setBit(shapes, shapeOf(word.charCodeAt(0), word.charCodeAt(1), word.charCodeAt(last), word.length))
}

/** Fifteen bits of three letters, ignoring case; arbitrary bits for other characters. */
function lettersOf(first: number, second: number, third: number): number {
  return ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)
}

function lettersIn(word: string, at: number): number {
  return lettersOf(word.charCodeAt(at), word.charCodeAt(at + 1), word.charCodeAt(at + 2))
}

const lettersAt = (units: Uint16Array, at: number): number =>
  lettersOf(units[at] ?? 0, units[at + 1] ?? 0, units[at + 2] ?? 0)

/** The classes of a word of ASCII letters, as a mask; 0 if it is in no list. */
export function classesOfWord(units: Uint16Array, start: number, end: number): number {
  const second = end - start > 1 ? (units[start + 1] ?? 0) : 0
  if (!hasBit(shapes, shapeOf(units[start] ?? 0, second, units[end - 1] ?? 0, end - start))) return 0
  let hash = HASH_BASIS
  // Its letters in lower case.
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ ((units[at] ?? 0) | 32), HASH_PRIME)
  return classesOf(mixed(hash))
}

function setBit(bits: Int32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
}
const hasBit = (bits: Int32Array, at: number): boolean => (((bits[at >>> 5] ?? 0) >>> (at & 31)) & 1) !== 0

function add(key: number, bit: number): void {
  const slot = slotOf(key)
  table[slot] = key
  table[slot + 1] = (table[slot + 1] ?? 0) | bit
  setBit(filter, key & FILTERED)
}

/** The slot of `hash`, or the free slot for it. */
function slotOf(hash: number): number {
  let slot = (hash << 1) & LAST
  while (table[slot] !== hash && table[slot] !== 0) slot = (slot + 2) & LAST
  return slot
}

/** A word's hash, never 0. Ignores case; the typographic apostrophe equals the plain one. */
export function hashOf(text: string, start: number, end: number): number {
  let hash = HASH_BASIS
  for (let at = start; at < end; at++) {
    let code = text.charCodeAt(at)
    if (code < 0x5b) {
      if (code > 0x40) code += 32
    } else if (code > 0xbf) code = foldWide(code)
    hash = Math.imul(hash ^ code, HASH_PRIME)
  }
  return mixed(hash)
}

function mixed(hash: number): number {
  const mix = hash ^ (hash >>> 15)
  return mix === 0 ? 1 : mix
}

function foldWide(code: number): number {
  if (code < 0xdf) return code + 32
  if (code === 0x2019) return 0x27
  return code >= 0x410 && code < 0x430 ? code + 32 : code
}

/** The classes, as a mask, of the listed words that a long unlisted word may misspell. */
export function classesOfMisspelt(text: string, units: Uint16Array, start: number, end: number): number {
  if (end - start < LONG - 1) return 0
  const head = hasBit(heads, lettersAt(units, start)) ? masked(headKey(text, start, end)) : 0
  if (head !== 0 || !hasBit(tails, lettersAt(units, end - 3))) return head
  return masked(tailKey(text, start, end))
}

const masked = (key: number): number => table[slotOf(key) + 1] ?? 0

/** The classes of the word with this hash, as a mask; 0 if it is in no list. */
export const classesOf = (hash: number): number => (hasBit(filter, hash & FILTERED) ? masked(hash) : 0)

/** Hash of the word lists. A model fitted with other lists must not be used. */
export const LEXICON_HASH = hashOfTable()

function hashOfTable(): number {
  let hash = 0
  for (const part of table) hash = (Math.imul(hash, 31) + part) | 0
  return hash
}
