import { longPattern } from '../../text/data.js'
import type { Leaf } from '../argument-text.js'

/** Values of arguments that are written apart, in words, or with more than they are: at most 16. */
const VALUES_MAX = 16
/** In longer arguments such values are not looked for: it would cost each mail a tenth. */
const LEAF_UNITS_MAX = 1_024
const DIGITS_MIN = 6
const DIGITS_MAX = 24
const RUNS_MIN = 2

/**
 * Values as they would stand in a text that was read: the numbers of an argument as one (`Room 773, then 019`), numbers in words
 * (`seven seven three`) or as bytes (`00110111 00110111`), addresses in words (`ann [at] mail [dot] example`) or with a tag (`ann+x@mail.example`). Linear in the text.
 */
export function spelledValues(text: string, leaves: readonly Leaf[]): readonly string[] {
  let values: string[] | undefined
  for (const { start, end } of leaves) {
    if (end - start > LEAF_UNITS_MAX) continue
    const leaf = text.slice(start, end)
    // Each look is cheaper than a search, and an ordinary argument has none of them.
    if (!MAY_SPELL.test(leaf)) continue
    values ??= []
    for (const value of valuesOf(leaf))
      if (values.length < VALUES_MAX && !values.includes(value)) values.push(value)
  }
  return values ?? NONE
}

const NONE: readonly string[] = []
function valuesOf(leaf: string): readonly string[] {
  const digits = digitsOf(leaf)
  return [
    ...(digits === undefined ? [] : [digits]),
    // At home a phone number has no country.
    ...(digits !== undefined && AT_HOME.test(digits) ? [digits.slice(-9)] : []),
    ...(leaf.match(IN_WORDS) ?? []).map(numberOf),
    ...(leaf.match(IN_BYTES) ?? []).map(textOfBytes),
    ...Array.from(leaf.matchAll(ADDRESS_IN_WORDS), ([, local, host, top]) => `${local}@${host}.${top}`),
    ...Array.from(leaf.matchAll(TAGGED), ([, local, host]) => `${local}@${host}`),
  ]
}

/** The numbers of an argument as one, if they are a few. */
function digitsOf(leaf: string): string | undefined {
  const runs = leaf.match(/\d+/g) ?? []
  if (runs.length < RUNS_MIN || runs.length > DIGITS_MAX) return undefined
  const digits = runs.join('')
  return digits.length >= DIGITS_MIN && digits.length <= DIGITS_MAX && !MOMENT.test(digits)
    ? digits
    : undefined
}

const AT_HOME = /^0[1-9]\d{8,10}$/

/** A date, with or without a time. */
const MOMENT = longPattern('spelled.MOMENT')

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
/** Between the numbers of one value; a sentence that ends with a number is none of it. */
const BETWEEN = String.raw`(?:[\s,-]{1,3}|\.(?! ))`
/** Two numbers, two numbers in words, a bracketed `at`, or a tag. Without the ends of words, which would be looked for at each letter. */
const MAY_SPELL = new RegExp(
  `\\d\\D{1,200}\\d|(?:${NUMBERS.join('|')})${BETWEEN}(?:${NUMBERS.join('|')})|[[({]\\s?at\\s?[\\])}]|\\+[\\w.-]{1,64}@`,
  'i',
)
const IN_WORDS = new RegExp(
  `\\b(?:${NUMBERS.join('|')})(?:${BETWEEN}(?:${NUMBERS.join('|')})){${DIGITS_MIN - 1},${DIGITS_MAX}}\\b`,
  'gi',
)
const numberOf = (run: string): string =>
  (run.toLowerCase().match(/[a-z]+/g) ?? []).map((word) => NUMBERS.indexOf(word)).join('')

const IN_BYTES = longPattern('spelled.IN_BYTES')
const textOfBytes = (run: string): string =>
  String.fromCharCode(...(run.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))

const ADDRESS_IN_WORDS = longPattern('spelled.ADDRESS_IN_WORDS')
const TAGGED = longPattern('spelled.TAGGED')
