import { type Words, readSet, readTable, wordsIn, longPattern } from '../text/data.js'
import {
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_JOINER,
  HAS_LETTER,
  HAS_LOWER,
  HAS_SLASH,
  HAS_UPPER,
} from '../text/characters.js'
import { type Tokens, hashOfUnits } from '../text/tokens.js'
import { knownWordsOf } from '../provenance/values/name-words.js'

/** Hints of one text, and units of a number, a word and a name of a member. */
const HINTS_MAX = 64
const NUMBER_MAX = 42
const WORD_MAX = 16
const AMOUNT_MAX = 7
const NAME_MAX = 40
/** Units between a number and a word for what it is. */
const BESIDE = 4

const CURRENCIES = Object.values(
  readTable<Readonly<Record<string, Words>>>('payments', 'currencies'),
).flatMap(wordsIn)
const ALL_LABELS = [
  ...CURRENCIES,
  ...['amounts', 'totals', 'accountLabels', 'pays'].flatMap((name) => [...readSet('payments', name)]),
]
const LABELS: ReadonlySet<string> = new Set(ALL_LABELS)
const isLabel = wordCheck(ALL_LABELS)
const isUnit = wordCheck([...CURRENCIES, ...readSet('payments', 'smallUnits')])
const isOrder = wordCheck([...readSet('payments', 'pays')])
/** Words between a label and its number. */
const isLink = wordCheck('of is was no nr number nummer due for a the to in id'.split(' '))
/** Words for currencies that are hardly ever anything else: the number before them may be one of words. */
const SURE = CURRENCIES.filter((word) => word.length > 4 && word !== 'pound')
const SURE_HEADS = headsOf(SURE)
const isSure = wordCheck(SURE)

type WordCheck = (text: string, units: Uint16Array, start: number, end: number) => boolean

/** Checks whether a token is one of some words. Most tokens end at their first two letters, or at their hash, without a string being made. */
function wordCheck(words: readonly string[]): WordCheck {
  const all = new Set(words)
  const heads = headsOf(words)
  const hashes = new Set<number>()
  for (const word of all) {
    hashes.add(
      hashOfUnits(
        Uint16Array.from(word, (letter) => letter.charCodeAt(0)),
        0,
        word.length,
      ),
    )
  }
  return (text, units, start, end) =>
    (((heads[(units[start] ?? 0) & 31] ?? 0) >> ((units[start + 1] ?? 0) & 31)) & 1) !== 0 &&
    end - start <= WORD_MAX &&
    hashes.has(hashOfUnits(units, start, end)) &&
    all.has(text.slice(start, end).toLowerCase())
}

/** One bit for the first two letters of each word. */
function headsOf(words: readonly string[]): Int32Array {
  const heads = new Int32Array(32)
  for (const word of words) {
    const first = word.charCodeAt(0) & 31
    heads[first] = (heads[first] ?? 0) | (1 << (word.charCodeAt(1) & 31))
  }
  return heads
}

/**
 * Where a text may name an amount or an account: numbers beside a currency or a word for one, and accounts by their form. Empty for most texts,
 * and many times faster than to read them. Linear in the tokens.
 */
export function moneyHints(text: string, tokens: Tokens): number[] {
  const { count, start, end, flags, units } = tokens
  const hints: number[] = []
  for (let i = 0; i < count && hints.length < HINTS_MAX; i++) {
    const from = start[i] ?? 0
    const has = flags[i] ?? 0
    if ((has & HAS_DIGIT) === 0) {
      // Here, not in the check: this is asked of each word.
      const heads = SURE_HEADS[(units[from] ?? 0) & 31] ?? 0
      if (((heads >> ((units[from + 1] ?? 0) & 31)) & 1) !== 0 && isSure(text, units, from, end[i] ?? 0))
        hints.push(from)
    } else if (
      (has & (HAS_SLASH | HAS_AT)) === 0 &&
      (end[i] ?? 0) - from <= NUMBER_MAX &&
      isMoney(text, tokens, i)
    )
      hints.push(from)
  }
  return hints
}

function isMoney(text: string, { start, end, flags, units, count }: Tokens, i: number): boolean {
  const from = start[i] ?? 0
  const to = end[i] ?? 0
  // An index below 0 would make every call slow.
  const before = from > 0 ? units[from - 1] : 0
  if (isSign(before) || isSign(units[to]) || (units[to] === 32 && isSign(units[to + 1]))) return true
  // A part of a time.
  if (before === COLON && from > 1 && isDigit(units[from - 2])) return false
  if (units[to] === COLON && isDigit(units[to + 1])) return false
  if (((flags[i] ?? 0) & HAS_LETTER) !== 0) {
    const isNumber = isDigit(units[from])
    const isShort = isNumber && to - from <= WORD_MAX && ((flags[i] ?? 0) & HAS_JOINER) === 0
    const isForm = isNumber ? units[from + 1] === LETTER_X : isDigit(units[from + 2]) || to - from > 22
    if (!isShort && !isForm) return false
    const token = text.slice(from, to)
    if (FORM.test(token)) return token.length > 8 || (end[i + 1] ?? 0) - (start[i + 1] ?? 0) === 4
    const unit = isShort ? token.replace(/^[\d.,]+/, '') : ''
    if (LABELS.has(unit.toLowerCase())) return true
    if (unit.length !== 1) return false
  }
  // A date or a number of so many digits is no amount, but may be an account.
  const isAmount =
    ((flags[i] ?? 0) & HAS_JOINER) === 0 && (to - from <= AMOUNT_MAX || ((flags[i] ?? 0) & HAS_DOT) !== 0)
  if (isAmount && i + 1 < count) {
    const next = start[i + 1] ?? 0
    if (next - to <= 2 && isUnit(text, units, next, end[i + 1] ?? 0)) return true
  }
  if (i === 0) return false
  const last = end[i - 1] ?? 0
  if (from - last > BESIDE) return false
  const first = start[i - 1] ?? 0
  if (isLabel(text, units, first, last) || isLabelName(text, first, last, flags[i - 1] ?? 0)) return true
  if (i < 2) return false
  const second = start[i - 2] ?? 0
  const secondEnd = end[i - 2] ?? 0
  if (isLink(text, units, first, last) && isLabel(text, units, second, secondEnd)) return true
  if (!isAmount) return false
  if (isOrder(text, units, second, secondEnd)) return true
  return i > 2 && isOrder(text, units, start[i - 3] ?? 0, end[i - 3] ?? 0)
}

/** The beginning of an IBAN, and forms of wallets. */
const FORM = longPattern('hints.FORM')

const COLON = 58
const LETTER_X = 120
const isDigit = (unit = 0): boolean => unit > 47 && unit < 58
const SIGNS: ReadonlySet<number> = new Set(Array.from('$€£₹₩₽₴₺₪₫₿¥', (sign) => sign.charCodeAt(0)))
const isSign = (unit = 0): boolean => unit === 36 || (unit > 0xa1 && SIGNS.has(unit))

/** `account_number`, `totalAmount`. */
const isLabelName = (text: string, start: number, end: number, flags: number): boolean =>
  (flags & HAS_DIGIT) === 0 &&
  ((flags & HAS_JOINER) !== 0 || (flags & (HAS_LOWER | HAS_UPPER)) === (HAS_LOWER | HAS_UPPER)) &&
  end - start <= NAME_MAX &&
  knownWordsOf(text.slice(start, end)).some((word) => LABELS.has(word))
