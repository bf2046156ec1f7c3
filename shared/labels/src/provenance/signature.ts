import { longPattern } from '../text/data.js'
import type { ArgumentText } from './argument-text.js'

/** Lines after the closing words, and the length of one, in UTF-16 code units. */
const LINES_MAX = 4
const LINE_UNITS_MAX = 60
/** How far from the end of a text a signature is looked for, in UTF-16 code units. */
const TAIL_UNITS = 400

/** How letters end, in a few languages. */
const CLOSINGS =
  '(?:with )?(?:best|kind|warm|many)(?: (?:regards|wishes|thanks))?|regards|all the best|(?:yours )?(?:sincerely|faithfully|truly)|thanks(?: again)?|thank you|cheers|mit (?:freundlichen|besten) grüßen|(?:viele|liebe|beste) grüße|cordialement|bien à vous|saludos(?: cordiales)?|atentamente|cordiali saluti'
const FORWARD = String.raw`(?:i(?:['’]m| am) |we(?:['’]re| are) )?looking forward to [\p{L} ]{3,40}`
/** As a line of its own, and at the end of a text of one line: `Let me know. Best regards, Ann`. */
const CLOSING = new RegExp(`^(?:${CLOSINGS}|${FORWARD})[,.!]?$`, 'iu')
const CLOSING_WITHIN = new RegExp(
  String.raw`(?<=[.!?]) {1,3}((?:${CLOSINGS}),) {1,3}([^\n,.!?]{2,60})$`,
  'iu',
)

/** Closing words that are no fixed ones: what follows may be a name. */
const LOOKS_FORWARD = /looking forward/i

/** Texts of one step whose signatures count: a name and an address. */
const FOUND_MAX = 2
/** More words than these are no name. */
const NAME_WORDS_MAX = 3

/** Words before a name by which who writes says who they are. */
const INTRODUCES = longPattern('signature.INTRODUCES')
const INTRODUCTION_UNITS = 16

/** Whether a line stands nowhere else, but where who writes gives it as their name: who is written about is content, also where the name stands below. */
function isOfSender(lowered: string, line: string): boolean {
  const given = line.toLowerCase()
  const last = lowered.lastIndexOf(given)
  for (let at = lowered.indexOf(given); at < last; at = lowered.indexOf(given, at + 1))
    if (!INTRODUCES.test(lowered.slice(Math.max(0, at - INTRODUCTION_UNITS), at))) return false
  return true
}

/** A word of closing words, at the beginning of a line or sentence of the tail. Most texts end otherwise. */
const HAS_CLOSING = longPattern('signature.HAS_CLOSING')

const hasClosing = (text: string, start: number, end: number): boolean =>
  HAS_CLOSING.test(text.slice(Math.max(start, end - TAIL_UNITS), end))

/**
 * Names and addresses in the signatures of the texts that a step sends, and the closing words above them: who sends is no content of a mail. One
 * name and one address count, without a digit, below closing words at the end of a text, and if they stand nowhere else but after words such as
 * *I am*. Linear.
 */
export function signaturesIn({ text, leaves }: ArgumentText): readonly string[] {
  const found: string[] = []
  const closings: string[] = []
  let lowered: string | undefined
  for (const { start, end, letter } of leaves) {
    if (found.length >= FOUND_MAX) break
    if (letter !== 'n' || end - start < LINE_UNITS_MAX || !hasClosing(text, start, end)) continue
    const tail = text.slice(Math.max(start, end - TAIL_UNITS), end)
    const lines = tail.replace(CLOSING_WITHIN, '\n$1\n$2').split('\n')
    const written = lines.map((line) => line.trim()).filter((line) => line !== '')
    const at = written.findLastIndex((line) => line.length <= LINE_UNITS_MAX && CLOSING.test(line))
    const below = written.slice(at + 1)
    if (
      at < 0 ||
      below.length > LINES_MAX ||
      below.some((line) => line.length > LINE_UNITS_MAX || /\d/.test(line))
    )
      continue
    lowered ??= text.toLowerCase()
    const whole = lowered
    const own = below.filter((line) => isOfSender(whole, line))
    const name = own.find((line) => !line.includes('@') && line.split(/\s+/).length <= NAME_WORDS_MAX)
    const address = own.find((line) => /^\S+@\S+$/.test(line))
    for (const each of [name, address]) if (each !== undefined) found.push(each)
    const closing = written[at]?.replace(/[,.!]$/, '') ?? ''
    if (closings.length < FOUND_MAX && !LOOKS_FORWARD.test(closing)) closings.push(closing)
  }
  return found.concat(closings)
}
