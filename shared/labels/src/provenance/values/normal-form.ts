import { foldCodePoint } from '../../text/fold.js'
import { readSet } from '../../text/data.js'

/**
 * A value as it is compared: letters and digits alone, case folded, accents undone, whatever looks or counts the same as one. So `Mark.Black@x.com`,
 * `mark.black @ X.COM` and `+1 (555) 0100` against `15550100` come to the same whatever stands between.
 */
export interface NormalForm {
  readonly bytes: Uint8Array
  length: number
}

/** Longest normal form, bytes; what follows is not compared. */
export const NORMAL_BYTES_MAX = 512

export const createNormalForm = (): NormalForm => ({ bytes: new Uint8Array(NORMAL_BYTES_MAX), length: 0 })

const FOLDED = foldedCharacters()

/** Adds the normal form of `text[start…end)` to what `form` holds. */
export function addNormal(form: NormalForm, text: string, start: number, end: number): void {
  const { bytes } = form
  let length = form.length
  for (let at = start; at < end && length < NORMAL_BYTES_MAX; at++) {
    const code = text.charCodeAt(at)
    if (code >= 128) {
      form.length = length
      return addWide(form, text, at, end)
    }
    const folded = FOLDED[code] ?? 0
    if (folded !== 0) bytes[length++] = folded
  }
  form.length = length
}

/** Whether `form` may leave something of its value out. */
export const isFull = ({ length }: NormalForm): boolean => length + 2 > NORMAL_BYTES_MAX

/** The same where characters beyond ASCII occur. */
function addWide(form: NormalForm, text: string, start: number, end: number): void {
  let at = start
  while (at < end && !isFull(form)) {
    const code = text.codePointAt(at) ?? 0
    at += code > 0xffff ? 2 : 1
    addPlain(form, code < 128 ? String.fromCharCode(code) : foldCodePoint(code).toLowerCase())
  }
}

function addPlain(form: NormalForm, plain: string): void {
  const { bytes } = form
  for (let at = 0; at < plain.length && !isFull(form); at++) {
    const code = plain.charCodeAt(at)
    if (code < 128) {
      const folded = FOLDED[code] ?? 0
      if (folded !== 0) bytes[form.length++] = folded
    } else if (counts(code)) {
      // No byte of an ASCII character has its upper bit set, so that the two cannot be taken for each other.
      bytes[form.length++] = 0x80 | (code >>> 9)
      bytes[form.length++] = code & 0xff
      if ((code & 0x100) !== 0) bytes[form.length - 2] = (bytes[form.length - 2] ?? 0) ^ 0x40
    }
  }
}

/** Punctuation, invisible characters and signs do not count. */
function counts(code: number): boolean {
  if (code >= 0xd800 && code < 0xe000) return true
  return WORD_CHARACTER.test(String.fromCharCode(code))
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u

function foldedCharacters(): Uint8Array {
  const folded = new Uint8Array(128)
  for (let code = 0; code < 128; code++) {
    const character = String.fromCharCode(code).toLowerCase()
    if (/[a-z0-9]/.test(character)) folded[code] = character.charCodeAt(0)
  }
  return folded
}

/** Words that say nothing of what a text is about: function words, politeness, and what tool descriptions are made of. */
const STOP_WORDS = readSet('text', 'stopWords')

/** The words by a hash: a text's words are looked up without being cut out of it. */
const HASHES: ReadonlySet<number> = new Set(
  [...STOP_WORDS].map((word) => hashOf(Uint8Array.from(Buffer.from(word)), word.length)),
)
/** Longest of them. */
const LENGTH_MAX = 10

export const isStopWord = ({ bytes, length }: NormalForm): boolean =>
  length <= LENGTH_MAX && HASHES.has(hashOf(bytes, length))

/** Thirty bits, which engines keep without a box. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
