import { foldCodePoint } from '../../text/fold.js'
import { readSet } from '../../text/data.js'

/**
 * A value in the form in which it is compared: letters and digits only, without case and accents, with look-alikes merged. So
 * `Mark.Black@x.com` equals `mark.black @ X.COM`, and `+1 (555) 0100` equals `15550100`.
 */
export interface NormalForm {
  readonly bytes: Uint8Array
  /** The same memory, four bytes each; what stands behind `length` means nothing. */
  readonly words: Int32Array
  length: number
}

/** Longest normal form in bytes; the rest is not compared. */
export const NORMAL_BYTES_MAX = 512

export function createNormalForm(): NormalForm {
  const words = new Int32Array(NORMAL_BYTES_MAX / 4 + 2)
  return { bytes: new Uint8Array(words.buffer), words, length: 0 }
}

const FOLDED = foldedCharacters()

/** Appends the normal form of the code units `[start, end)`. */
export function addNormal(form: NormalForm, units: Uint16Array, start: number, end: number): void {
  const { bytes } = form
  let length = form.length
  for (let at = start; at < end && length < NORMAL_BYTES_MAX; at++) {
    const code = units[at] ?? 0
    if (code >= 128) {
      form.length = length
      return addWide(form, units, at, end)
    }
    // What is not compared is written too, and overwritten: a branch would be mispredicted at each end of a word.
    const folded = FOLDED[code] ?? 0
    bytes[length] = folded
    length += (folded + 255) >>> 8
  }
  form.length = length
}

let textUnits = new Uint16Array(NORMAL_BYTES_MAX)

/** Appends the normal form of `text`. */
export function addNormalText(form: NormalForm, text: string): void {
  if (text.length >= textUnits.length) textUnits = new Uint16Array(2 * text.length)
  for (let at = 0; at < text.length; at++) textUnits[at] = text.charCodeAt(at)
  // Half a character at the end has no other half.
  textUnits[text.length] = 0
  addNormal(form, textUnits, 0, text.length)
}

/** Whether `form` may have been cut. */
export const isFull = ({ length }: NormalForm): boolean => length + 2 > NORMAL_BYTES_MAX

/** Appends text with characters beyond ASCII. */
function addWide(form: NormalForm, units: Uint16Array, start: number, end: number): void {
  let at = start
  while (at < end && !isFull(form)) {
    const code = codePointAt(units, at)
    at += code > 0xffff ? 2 : 1
    addPlain(form, code < 128 ? String.fromCharCode(code) : foldCodePoint(code).toLowerCase())
  }
}

function codePointAt(units: Uint16Array, at: number): number {
  const [high, low] = [units[at] ?? 0, units[at + 1] ?? 0]
  const isPair = high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000
  return isPair ? ((high - 0xd800) << 10) + low - 0xdc00 + 0x10000 : high
}

function addPlain(form: NormalForm, plain: string): void {
  const { bytes } = form
  for (let at = 0; at < plain.length && !isFull(form); at++) {
    const code = plain.charCodeAt(at)
    if (code < 128) {
      const folded = FOLDED[code] ?? 0
      if (folded !== 0) bytes[form.length++] = folded
    } else if (counts(code)) {
      // ASCII bytes never have their upper bit set, so the two cannot collide.
      bytes[form.length++] = 0x80 | (code >>> 9)
      bytes[form.length++] = code & 0xff
      if ((code & 0x100) !== 0) bytes[form.length - 2] = (bytes[form.length - 2] ?? 0) ^ 0x40
    }
  }
}

/** Whether a character is compared. Punctuation, invisible characters and symbols are not. */
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

/** Words without information about a text: function words, polite words, and common words of tool descriptions. */
const STOP_WORDS = readSet('text', 'stopWords')

/** Stop words by hash, so that words are looked up without creating strings. */
const HASHES: ReadonlySet<number> = new Set(
  [...STOP_WORDS].map((word) => hashOf(Uint8Array.from(Buffer.from(word)), word.length)),
)
/** Length of the longest stop word. */
const LENGTH_MAX = 10

export const isStopWord = ({ bytes, length }: NormalForm): boolean =>
  length <= LENGTH_MAX && HASHES.has(hashOf(bytes, length))

/** Thirty bits, which engines store unboxed. */
function hashOf(bytes: Uint8Array, length: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}

/** Turns a form round in place: a view of its bytes would be an object for each value. */
export function reverse({ bytes, length }: NormalForm): void {
  for (let left = 0, right = length - 1; left < right; left++, right--) {
    const byte = bytes[left] ?? 0
    bytes[left] = bytes[right] ?? 0
    bytes[right] = byte
  }
}
