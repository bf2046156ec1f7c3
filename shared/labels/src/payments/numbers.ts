import { longPattern, readByWord } from '../text/data.js'
import { foldCodePoint } from '../text/fold.js'

/** Longest numeral, in characters; a longer one is an account or an id. */
const NUMERAL_MAX = 24

/** A number in any script: groups of two or three digits after separators, then decimals. Linear, as each part begins with a separator. */
export const NUMERAL = longPattern('numbers.NUMERAL')

/** `text` with the digits of every script as ASCII. */
export const withPlainDigits = (text: string): string =>
  /[^\0-\u007f]/.test(text)
    ? text.replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => foldCodePoint(digit.codePointAt(0) ?? 0))
    : text

/**
 * The value of a numeral with ASCII digits: `1.000,50`, `1,000.50`, `1 000`, `1'000`, `1,00,000`. Where both `.` and `,` stand, the last is the
 * decimal sign. One alone before three digits separates thousands, unless the currency has three decimals or a zero stands before it.
 *
 * @returns undefined if it is too long to be an amount
 *
 * @example numberOf('1.000,50') // 1000.5
 */
export function numberOf(numeral: string, decimals = 2): number | undefined {
  if (numeral.length > NUMERAL_MAX) return undefined
  const plain = numeral
    .replaceAll('٫', '.')
    .replaceAll('٬', ',')
    .replaceAll(/[^\d.,]/g, '')
  const dot = plain.lastIndexOf('.')
  const comma = plain.lastIndexOf(',')
  const last = Math.max(dot, comma)
  const sign = plain.charAt(last)
  const isAlone = last >= 0 && (dot < 0 || comma < 0)
  const isRepeated = last >= 0 && plain.indexOf(sign) !== last
  const after = plain.length - last - 1
  const isThousands =
    isAlone && (isRepeated || (after === 3 && decimals !== 3 && !/^0+$/.test(plain.slice(0, last))))
  const whole = last < 0 || isThousands ? plain : plain.slice(0, last)
  const value = Number(
    whole.replaceAll(/[.,]/g, '') + (last < 0 || isThousands ? '' : `.${plain.slice(last + 1)}`),
  )
  return Number.isFinite(value) ? value : undefined
}

/** Words for numbers in English, German, French, Spanish, Italian and Portuguese, by value; hundreds and thousands multiply. */
const valuesOf = (name: string): ReadonlyMap<string, number> =>
  new Map([...readByWord<string>('payments', name)].map(([word, value]) => [word, Number(value)]))
const UNIT = valuesOf('units')
const FACTOR = valuesOf('factors')
const LINKS: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y', 'e', 'a'])
const WORD_MAX = 48

/** German writes a number as one word: `zweihundertfünfzig`. Longest words first. */
const GERMAN = longPattern('numbers.GERMAN')
const GERMAN_PART = longPattern('numbers.GERMAN_PART')

/** A number in words that ends at `end` or starts at `start`, as indexes into the words of a text. */
export interface SpelledNumber {
  readonly value: number
  readonly first: number
  readonly last: number
}

/** The numbers in words among `words`, in lower case. */
export function spelledNumbers(words: readonly string[]): SpelledNumber[] {
  const found: SpelledNumber[] = []
  for (let at = 0; at < words.length; at++) {
    const parts: string[] = []
    let last = at - 1
    for (let i = at; i < words.length && i < at + 12; i++) {
      const split = partsOf(words[i] ?? '')
      if (split === undefined) break
      const isLink = split.length === 1 && LINKS.has(split[0] ?? '')
      if (isLink && (i === at ? words[i] !== 'a' : partsOf(words[i + 1] ?? '') === undefined)) break
      parts.push(...split)
      last = i
    }
    const value = last < at ? undefined : valueOfWords(parts)
    if (value === undefined) continue
    found.push({ value, first: at, last })
    at = last
  }
  return found
}

/** The number words in a word; undefined if it is none. */
function partsOf(word: string): readonly string[] | undefined {
  if (UNIT.has(word) || FACTOR.has(word) || LINKS.has(word)) return [word]
  if (word.includes('-')) {
    const parts = word.split('-')
    return parts.every((part) => UNIT.has(part) || FACTOR.has(part) || LINKS.has(part)) ? parts : undefined
  }
  if (word.length > WORD_MAX || !GERMAN.test(word)) return undefined
  return word.match(GERMAN_PART) ?? undefined
}

function valueOfWords(parts: readonly string[]): number | undefined {
  let [total, current, seen] = [0, 0, false]
  for (const part of parts) {
    const unit = UNIT.get(part)
    const factor = FACTOR.get(part)
    if (unit !== undefined) {
      // `quatre-vingt` is four times twenty.
      current = unit === 20 && current === 4 ? 80 : current + unit
      seen = true
    } else if (factor !== undefined) {
      seen = true
      if (factor <= 100) current = Math.max(1, current) * factor
      else {
        total += Math.max(1, current) * factor
        current = 0
      }
    }
  }
  return seen ? total + current : undefined
}
