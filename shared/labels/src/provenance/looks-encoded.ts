import { isDigit, isUpper } from './solid.js'

/**
 * Whether a run that is no text may hide one all the same, compressed or encrypted: small letters, capitals and digits in no order that
 * words have. Hashes, commits and UUIDs are hexadecimal of the lengths that they have, and so are known for what they are.
 */

const ENCODED_UNITS_MIN = 16
const HASH_UNITS_MAX = 40
const HASH_LENGTHS = new Set([48, 56, 64, 96, 128])
/** Of two neighbours in random base64 two thirds are of different kinds; in names of many words a third at most. */
const BENDS_SHARE_MIN = 0.36
/** Of capitals and digits alone, or small letters and digits, fewer bend; part numbers and slugs are shorter. */
const ONE_CASE_UNITS_MIN = 24
const ONE_CASE_SHARE_MIN = 0.28
/** No word and no name is longer. */
const LETTERS_MAX = 48
const DIGITS_MAX = 36

/** `isJoined`: put together from pieces. Numbered things that are listed are no run, so that both cases are asked for. */
export function looksEncoded(run: string, isJoined: boolean): boolean {
  if (isHash(run)) return false
  const piece = longestPiece(run)
  if (piece.length < ENCODED_UNITS_MIN) return false
  const [lower, upper, digits, bends] = kindsOf(piece)
  if (/^[0-9a-f]+$/i.test(piece) && piece.length <= HASH_UNITS_MAX) return false
  if (isJoined && (lower < 2 || upper < 2 || digits < 2)) return false
  if (digits === piece.length) return digits > DIGITS_MAX
  if (digits === 0 && (lower === 0 || upper <= 1)) return piece.length > LETTERS_MAX
  const share = bends / (piece.length - 1)
  const isTwoCases = lower > 1 && upper > 1
  return isTwoCases
    ? share >= BENDS_SHARE_MIN
    : piece.length >= ONE_CASE_UNITS_MIN && digits > 1 && share >= ONE_CASE_SHARE_MIN
}

function isHash(run: string): boolean {
  const digits = run.replaceAll('-', '')
  if (!/^[0-9a-f]+$/i.test(digits)) return false
  return digits.length <= HASH_UNITS_MAX || HASH_LENGTHS.has(digits.length)
}

/** Words are set apart by hyphens, slashes and underscores, which are rare in what is encoded. */
function longestPiece(run: string): string {
  let longest = ''
  for (const piece of run.split(/[-_/+]/)) if (piece.length > longest.length) longest = piece
  return longest
}

/** How many small letters, capitals and digits, and how often one kind follows another; a capital that begins a word bends once. */
function kindsOf(piece: string): readonly [lower: number, upper: number, digits: number, bends: number] {
  const counts: [number, number, number, number] = [0, 0, 0, 0]
  let before = -1
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    const kind = isDigit(code) ? 2 : isUpper(code) ? 1 : 0
    counts[kind]++
    if (before >= 0 && kind !== before) counts[3]++
    before = kind
  }
  return counts
}
