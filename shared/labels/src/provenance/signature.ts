import type { ArgumentText } from './argument-text.js'

/** Lines after the closing words, and the length of one, in UTF-16 code units. */
const LINES_MAX = 4
const LINE_UNITS_MAX = 60
/** How far from the end of a text a signature is looked for, in UTF-16 code units. */
const TAIL_UNITS = 400

/** How letters end, in a few languages: a line of its own. */
const CLOSING =
  /^(?:(?:with )?(?:best|kind|warm|many)(?: (?:regards|wishes|thanks))?|regards|all the best|(?:yours )?(?:sincerely|faithfully|truly)|thanks(?: again)?|thank you|cheers|mit (?:freundlichen|besten) grüßen|(?:viele|liebe|beste) grüße|cordialement|bien à vous|saludos(?: cordiales)?|atentamente|cordiali saluti)[,.!]?$/iu

/** Texts of one step whose signatures count: a name and an address. */
const FOUND_MAX = 2
/** More words than these are no name. */
const NAME_WORDS_MAX = 3

/** Whether a line stands nowhere else: who is written about is content, also where the name stands below. */
const standsOnce = (lowered: string, line: string): boolean => {
  const given = line.toLowerCase()
  return lowered.indexOf(given) === lowered.lastIndexOf(given)
}

/** A word of closing words, at the beginning of a line of the tail. Most texts end otherwise. */
const HAS_CLOSING =
  /\n[ \t]{0,8}(?:with |yours |kind |warm |many |best|all the best|regards|sincerely|thank|cheers|mit |viele |liebe |beste |cordial|bien |saludos|atent)/i

const hasClosing = (text: string, start: number, end: number): boolean =>
  HAS_CLOSING.test(text.slice(Math.max(start, end - TAIL_UNITS), end))

/**
 * Names and addresses in the signatures of the texts that a step sends: who sends is no content of a mail. One name and one
 * address count, without a digit, below closing words at the end of a text, and if they stand nowhere else. Linear.
 */
export function signaturesIn({ text, leaves }: ArgumentText): readonly string[] {
  const found: string[] = []
  let lowered: string | undefined
  for (const { start, end, letter } of leaves) {
    if (found.length >= FOUND_MAX) break
    if (letter !== 'n' || end - start < LINE_UNITS_MAX || !hasClosing(text, start, end)) continue
    const lines = text.slice(Math.max(start, end - TAIL_UNITS), end).split('\n')
    const written = lines.map((line) => line.trim()).filter((line) => line !== '')
    const at = written.findLastIndex((line) => line.length <= LINE_UNITS_MAX && CLOSING.test(line))
    const below = at < 0 ? [] : written.slice(at + 1)
    if (below.length > LINES_MAX || below.some((line) => line.length > LINE_UNITS_MAX || /\d/.test(line)))
      continue
    lowered ??= text.toLowerCase()
    const whole = lowered
    const own = below.filter((line) => standsOnce(whole, line))
    const name = own.find((line) => !line.includes('@') && line.split(/\s+/).length <= NAME_WORDS_MAX)
    const address = own.find((line) => /^\S+@\S+$/.test(line))
    for (const each of [name, address]) if (each !== undefined) found.push(each)
  }
  return found
}
