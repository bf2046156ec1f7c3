import { longPattern } from '../text/data.js'

/**
 * Shows text of an agent to people without deception. Invisible characters become escapes, meaningless repetition is counted, and long text
 * is cut with a note of its length. Backslashes in the text are doubled, so that it cannot imitate such a note.
 */

/** A run of one character, or without letters and digits, is shown up to this length and then counted. */
const RUN_MAX = 16

/** Code units read from each end; the middle is counted and cut. */
const END_MAX = 8_192

/** Share of a cut text that is shown from its end, so that padding cannot hide the end. */
const TAIL_SHARE = 0.25

/** Code points; an unpaired surrogate counts as one. */
const CHARACTERS = /[\s\S]/gu

/** White space and invisible characters. U+2800 is a Braille pattern without dots. */
const BLANK = longPattern('visible-text.BLANK')
const WORD = /[\p{L}\p{N}]/u
const PLAIN = /^[\x20-\x7e]$/

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
  '\\': String.raw`\\`,
  '"': String.raw`\"`,
}

/** Some characters of a text and how they are shown. */
interface Piece {
  readonly shown: string
  readonly count: number
  /** The number of `@`, because the cut part may contain addresses. */
  readonly ats: number
}

/**
 * Returns `text` on one line of at most about `charsMax` characters, in linear time.
 *
 * @example visibleText('ann@example.com' + ' '.repeat(400) + ', eve@example.org', 300) // 'ann@example.com\{400 blanks}, eve@example.org'
 */
export function visibleText(text: string, charsMax: number): string {
  const pieces = piecesOf(text)
  const total = pieces.reduce((sum, { shown }) => sum + shown.length, 0)
  if (total <= charsMax) return pieces.map(({ shown }) => shown).join('')
  const tailMax = Math.floor(charsMax * TAIL_SHARE)
  const head = countFitting(pieces, charsMax - tailMax, (i) => i)
  const tail = countFitting(pieces, tailMax, (i) => pieces.length - 1 - i)
  const cut = pieces.slice(head, pieces.length - tail)
  const shownOf = (some: readonly Piece[]) => some.map(({ shown }) => shown).join('')
  return `${shownOf(pieces.slice(0, head))}${cutNote(cut)}${shownOf(pieces.slice(pieces.length - tail))}`
}

function cutNote(cut: readonly Omit<Piece, 'shown'>[]): string {
  const count = cut.reduce((sum, piece) => sum + piece.count, 0)
  const ats = cut.reduce((sum, piece) => sum + piece.ats, 0)
  return String.raw`\{${count} characters cut${ats > 0 ? `, ${ats} of them @` : ''}}`
}

/** How many of `pieces` fit in `charsMax` characters, in the order of `at`. */
function countFitting(pieces: readonly Piece[], charsMax: number, at: (i: number) => number): number {
  let room = charsMax
  let count = 0
  while (count < pieces.length) {
    room -= pieces[at(count)]?.shown.length ?? 0
    if (room < 0) break
    count += 1
  }
  return count
}

function piecesOf(text: string): readonly Piece[] {
  if (text.length <= 2 * END_MAX) return shortPieces(text)
  const between = text.slice(END_MAX, -END_MAX)
  const cut = { count: between.length, ats: between.split('@').length - 1 }
  const middle = { ...cut, shown: cutNote([cut]) }
  return [...shortPieces(text.slice(0, END_MAX)), middle, ...shortPieces(text.slice(-END_MAX))]
}

function shortPieces(text: string): readonly Piece[] {
  const characters = text.match(CHARACTERS) ?? []
  const pieces: Piece[] = []
  for (let at = 0; at < characters.length;) {
    const run = runAt(characters, at)
    pieces.push(...run.pieces)
    at += run.length
  }
  return pieces
}

/** The run that begins at `at`: equal, blank or non-word characters, else a single one. */
function runAt(
  characters: readonly string[],
  at: number,
): { readonly length: number; readonly pieces: readonly Piece[] } {
  const first = characters[at] ?? ''
  const alike = lengthWhile(characters, at, (character) => character === first)
  if (alike > RUN_MAX && !BLANK.test(first))
    return noted(characters.slice(at, at + alike), String.raw`${escapeCharacter(first)}\{${alike} times}`)
  const blank = lengthWhile(characters, at, (character) => BLANK.test(character))
  if (blank > RUN_MAX) return noted(characters.slice(at, at + blank), String.raw`\{${blank} blanks}`)
  const wordless = lengthWhile(characters, at, (character) => !WORD.test(character))
  const run = characters.slice(at, at + Math.max(wordless, alike))
  if (run.length > RUN_MAX) return noted(run, String.raw`\{${run.length} characters, no letter or digit}`)
  return { length: run.length, pieces: run.map(pieceOf) }
}

const noted = (run: readonly string[], shown: string) => ({
  length: run.length,
  pieces: [{ shown, count: run.length, ats: run.filter((character) => character === '@').length }],
})

function lengthWhile(
  characters: readonly string[],
  from: number,
  belongs: (character: string) => boolean,
): number {
  let to = from
  while (to < characters.length && belongs(characters[to] ?? '')) to += 1
  return to - from
}

const pieceOf = (character: string): Piece => ({
  shown: escapeCharacter(character),
  count: 1,
  ats: character === '@' ? 1 : 0,
})

function escapeCharacter(character: string): string {
  const escape = ESCAPES[character]
  if (escape !== undefined) return escape
  if (PLAIN.test(character) || !BLANK.test(character)) return character
  return String.raw`\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
