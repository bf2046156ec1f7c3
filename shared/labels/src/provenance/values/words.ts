import type { FingerprintLetter } from '@plimsoll/contracts'
import { HAS_AT, HAS_DIGIT, HAS_LETTER, IS_URL } from '../../text/characters.js'
import type { Tokens } from '../../text/tokens.js'
import { type FingerprintList, inSpreadOrder } from '../fingerprint-list.js'
import { type NormalForm, addNormal, addNormalText, createNormalForm, isStopWord } from './normal-form.js'
import { readTable } from '../../text/data.js'
import { SHORT_FORM_MAX, meaningsOf } from '../../text/short-forms.js'

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
  if (!isWordLong(word.length)) return false
  form.length = 0
  addNormalText(form, word)
  return isContentWord() && addStem(list, letter)
}

function addStem(list: FingerprintList, letter: FingerprintLetter): boolean {
  stem(form)
  return list.addForm(letter, form)
}

const isWordLong = (size: number): boolean => size >= WORD_LETTERS_MIN && size <= WORD_LETTERS_MAX

/** Whether `form` holds a content word. */
const isContentWord = (): boolean => form.length >= WORD_LETTERS_MIN && !isStopWord(form)

/** Adds the stems of content words among the tokens `[from, to)` until the list has `limit` entries. */
export function addWords(list: FingerprintList, tokens: Tokens, range: Range, limit: number): void {
  eachWord(list, tokens, range, limit, () => addStem(list, 'w'))
}

/** Adds unstemmed words, for names that are lower case elsewhere. Their stems are already in the list. */
export function addFullWords(list: FingerprintList, tokens: Tokens, range: Range, limit: number): void {
  eachWord(list, tokens, range, limit, () => list.addForm('w', form))
}

/** Adds what short words stand for: a task about the `dev db` is about a database. */
export function addShortForms(list: FingerprintList, tokens: Tokens, [from, to]: Range, limit: number): void {
  const { units, start, end } = tokens
  for (let at = from; at < to && list.size < limit; at++) {
    const [first, after] = [start[at] ?? 0, end[at] ?? 0]
    if (after - first > SHORT_FORM_MAX || !isWord(tokens, at)) continue
    for (const word of meaningsOf(String.fromCharCode(...units.subarray(first, after))))
      addWord(list, 'w', word)
  }
}

/** Adds names with digits, such as versions, tags, years and numbered branches: `v2.1-rc`, `app:1.0`, `fix-12`, `2022`. */
export function addNumberedNames(
  list: FingerprintList,
  tokens: Tokens,
  [from, to]: Range,
  limit: number,
): void {
  const { units, start, end, flags } = tokens
  inSpreadOrder(to - from, limit - list.size, (i) => {
    const at = from + i
    const [first, after] = [start[at] ?? 0, end[at] ?? 0]
    const of = flags[at] ?? 0
    const isNumbered =
      (of & HAS_DIGIT) !== 0 &&
      ((of & HAS_LETTER) !== 0 || after - first > 1) &&
      (of & (HAS_AT | IS_URL)) === 0
    if (isNumbered && after - first <= NAME_MAX) {
      form.length = 0
      addNormal(form, units, first, after)
      list.addForm('w', form)
    }
    return list.size < limit
  })
}
const NAME_MAX = 64

/** Visits the content words of a range, each in `form`, spread over all of it, until the list has `limit` entries. */
function eachWord(
  list: FingerprintList,
  tokens: Tokens,
  [from, to]: Range,
  limit: number,
  add: () => void,
): void {
  const { units, start, end } = tokens
  inSpreadOrder(to - from, limit - list.size, (i) => {
    const at = from + i
    const [first, after] = [start[at] ?? 0, end[at] ?? 0]
    if (isWord(tokens, at) && isWordLong(after - first)) {
      form.length = 0
      addNormal(form, units, first, after)
      if (isContentWord()) add()
    }
    return list.size < limit
  })
}

type Range = readonly [from: number, to: number]

const isWord = ({ flags }: Tokens, at: number): boolean =>
  ((flags[at] ?? 0) & HAS_LETTER) !== 0 && ((flags[at] ?? 0) & (HAS_DIGIT | HAS_AT | IS_URL)) === 0
