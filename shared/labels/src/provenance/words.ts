import type { FingerprintLetter } from '@plimsoll/contracts'
import { HAS_AT, HAS_DIGIT, HAS_LETTER, IS_URL } from '../text/characters.js'
import type { Tokens } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addNormal, createNormalForm } from './normal-form.js'
import { inSpreadOrder } from './spread.js'
import { stem } from './stem.js'
import { STOP_WORDS } from './stop-words.js'

const WORD_LETTERS_MIN = 3
const WORD_LETTERS_MAX = 32

const form = createNormalForm()

/** Adds the stem of `word`, in lower case; false where it is a stop word, too short, or finds no room. */
export function addWord(list: FingerprintList, letter: FingerprintLetter, word: string): boolean {
  if (word.length < WORD_LETTERS_MIN || word.length > WORD_LETTERS_MAX || STOP_WORDS.has(word)) return false
  form.length = 0
  addNormal(form, word, 0, word.length)
  stem(form)
  return list.addForm(letter, form)
}

/** Adds the stems of the content words among the tokens `[from, to)` until the list has `limit`. */
export function addWords(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  [from, to]: readonly [from: number, to: number],
  limit: number,
): void {
  inSpreadOrder(to - from, limit - list.size, (i) => {
    const word = wordAt(text, tokens, from + i)
    if (word !== '') addWord(list, 'w', word)
    return list.size < limit
  })
}

/** Adds the words as they stand, for names that are written small in one place: their stems are told already. */
export function addFullWords(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  [from, to]: readonly [from: number, to: number],
  limit: number,
): void {
  inSpreadOrder(to - from, limit - list.size, (i) => {
    const word = wordAt(text, tokens, from + i)
    if (word.length >= WORD_LETTERS_MIN && !STOP_WORDS.has(word)) list.add('w', word, 0, word.length)
    return list.size < limit
  })
}

/** The word that the token is, in lower case; empty where it is none. */
function wordAt(text: string, { start, end, flags }: Tokens, at: number): string {
  const bits = flags[at] ?? 0
  if ((bits & HAS_LETTER) === 0 || (bits & (HAS_DIGIT | HAS_AT | IS_URL)) !== 0) return ''
  const [from, to] = [start[at] ?? 0, end[at] ?? 0]
  return to - from > WORD_LETTERS_MAX ? '' : text.slice(from, to).toLowerCase()
}
