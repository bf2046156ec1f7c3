/**
 * Characters that would deceive a reader: they show nothing, or change the direction of writing. Their number is shown in their place.
 * Texts of agents, tools and tasks come from the adversary.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu

/** A longer run of combining marks would draw over its neighbours. */
const MARKS_MAX = 3
const MARKS = new RegExp(String.raw`\p{M}{${MARKS_MAX + 1},}`, 'gu')

/** Blanks beyond this number are counted: they would push what follows out of sight. */
const BLANKS_MAX = 16
const BLANKS = new RegExp(` {${BLANKS_MAX + 1},}`, 'g')

export interface Piece {
  readonly text: string
  /** What stands in the text itself, where `text` is shown instead; undefined for plain text. */
  readonly hides?: string
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\n', '↵'],
  ['\t', '⇥'],
])

const numberOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/**
 * `text` in pieces that can be shown without deception, in linear time.
 * @param breaks whether line breaks and tabs stay as they are, for texts of several lines
 * @param charsMax what is longer is cut, with a note of how much
 */
export function piecesOf(
  text: string,
  { breaks = false, charsMax = 4_000 }: { readonly breaks?: boolean; readonly charsMax?: number } = {},
): readonly Piece[] {
  const pieces: Piece[] = []
  const shown = text.slice(0, charsMax)
  let from = 0
  for (const { index, length, piece } of deceptionsIn(shown)) {
    if (index < from) continue
    if (breaks && /^[\n\t]$/.test(shown.slice(index, index + length))) continue
    if (index > from) pieces.push({ text: shown.slice(from, index) })
    pieces.push(piece)
    from = index + length
  }
  if (from < shown.length) pieces.push({ text: shown.slice(from) })
  if (text.length > charsMax)
    pieces.push({ text: `${text.length - charsMax} more characters`, hides: 'what follows is cut' })
  return pieces
}

interface Deception {
  readonly index: number
  readonly length: number
  readonly piece: Piece
}

function deceptionsIn(text: string): readonly Deception[] {
  const found: Deception[] = []
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    const number = numberOf(character)
    const piece = { text: NAMES.get(character) ?? number, hides: `hidden character ${number}` }
    found.push({ index, length: character.length, piece })
  }
  for (const { 0: marks, index } of text.matchAll(MARKS))
    found.push({
      index,
      length: marks.length,
      piece: { text: `${marks.length} marks`, hides: 'combining marks' },
    })
  for (const { 0: blanks, index } of text.matchAll(BLANKS))
    found.push({
      index,
      length: blanks.length,
      piece: { text: `${blanks.length} blanks`, hides: 'blank space' },
    })
  return found.sort((a, b) => a.index - b.index || b.length - a.length)
}

/** `text` on one line, for labels and titles, where elements cannot stand. */
export const lineOf = (text: string, charsMax = 200): string =>
  piecesOf(text, { charsMax })
    .map(({ text: shown, hides }) => (hides === undefined ? shown : `‹${shown}›`))
    .join('')
