import type { FingerprintLetter } from '@plimsoll/contracts'
import { HAS_AT, HAS_DIGIT, HAS_LETTER, IS_URL } from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { type FingerprintList, inSpreadOrder } from '../fingerprint-list.js'
import { type NormalForm, addNormal, createNormalForm, isStopWord } from './normal-form.js'
import { readTable } from '../../text/data.js'

type Ending = readonly [ending: Uint8Array, left: number]

/** Longest first. The number is the minimum length of the remaining word. */
const ENDINGS = readTable<readonly (readonly [string, number])[]>('text', 'wordEndings').map(
  ([ending, left]): Ending => [Uint8Array.from(Buffer.from(ending)), left],
)

/** Endings by their last letter. */
const BY_LAST: readonly (readonly Ending[])[] = Array.from({ length: 128 }, (_, code) =>
  ENDINGS.filter(([ending]) => ending.at(-1) === code),
)

/**
 * Cuts the ending of an English word in normal form, so that `reserve`, `reserved` and `reservation` are equal. Lighter than Porter's stemmer:
 * removes one ending, then one of a doubled final consonant.
 */
export function stem(form: NormalForm): void {
  const { bytes } = form
  for (const [ending, left] of BY_LAST[bytes[form.length - 1] ?? 0] ?? []) {
    const rest = form.length - ending.length
    if (rest < left || !endsWith(form, ending, rest)) continue
    form.length = rest
    break
  }
  const { length } = form
  const last = bytes[length - 1] ?? 0
  if (length > 3 && last === bytes[length - 2] && last > DIGITS_END) form.length = length - 1
}

const DIGITS_END = 57

function endsWith({ bytes }: NormalForm, ending: Uint8Array, at: number): boolean {
  for (let i = 0; i < ending.length; i++) if (bytes[at + i] !== ending[i]) return false
  return true
}

const WORD_LETTERS_MIN = 3
const WORD_LETTERS_MAX = 32

const form = createNormalForm()

/** Adds the stem of a word. Returns false for a stop word, a short word, a duplicate or a full list. */
export function addWord(list: FingerprintList, letter: FingerprintLetter, word: string): boolean {
  return addStem(list, letter, word, 0, word.length)
}

function addStem(
  list: FingerprintList,
  letter: FingerprintLetter,
  text: string,
  start: number,
  end: number,
): boolean {
  if (!isContentWord(text, start, end)) return false
  stem(form)
  return list.addForm(letter, form)
}

/** Whether the word is a content word; leaves its normal form in `form`. */
function isContentWord(text: string, start: number, end: number): boolean {
  if (end - start < WORD_LETTERS_MIN || end - start > WORD_LETTERS_MAX) return false
  form.length = 0
  addNormal(form, text, start, end)
  return form.length >= WORD_LETTERS_MIN && !isStopWord(form)
}

/** Adds the stems of content words among the tokens `[from, to)` until the list has `limit` entries. */
export function addWords(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  range: Range,
  limit: number,
): void {
  eachWord(list, tokens, range, limit, (start, end) => addStem(list, 'w', text, start, end))
}

/** Adds unstemmed words, for names that are lower case elsewhere. Their stems are already in the list. */
export function addFullWords(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  range: Range,
  limit: number,
): void {
  eachWord(list, tokens, range, limit, (start, end) => {
    if (isContentWord(text, start, end)) list.addForm('w', form)
  })
}

/** Visits words of a range, spread over all of it, until the list has `limit` entries. */
function eachWord(
  list: FingerprintList,
  tokens: Tokens,
  [from, to]: Range,
  limit: number,
  add: (start: number, end: number) => void,
): void {
  const { start, end } = tokens
  inSpreadOrder(to - from, limit - list.size, (i) => {
    const at = from + i
    if (isWord(tokens, at)) add(start[at] ?? 0, end[at] ?? 0)
    return list.size < limit
  })
}

type Range = readonly [from: number, to: number]

const isWord = ({ flags }: Tokens, at: number): boolean =>
  ((flags[at] ?? 0) & HAS_LETTER) !== 0 && ((flags[at] ?? 0) & (HAS_DIGIT | HAS_AT | IS_URL)) === 0
