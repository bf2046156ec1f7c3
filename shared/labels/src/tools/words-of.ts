import { readSet } from '../text/data.js'
import { keptByName } from '../text/kept.js'

/** Longer names and descriptions are cut here. */
export const CHARS_MAX = 1_000

/** Singular words that end in `s`. */
const SINGULAR = readSet('tools', 'singular')

/**
 * The words of the first `charsMax` characters of a name or text, in order: lower case and singular (`sends` becomes `send` too). Splits at `_`, `-`, spaces and where a
 * capital follows a small letter.
 *
 * @example wordsOf('getUnreadEmails') // ['get', 'unread', 'email']
 */
export function wordsOf(text: string, charsMax = CHARS_MAX): string[] {
  const parts = text
    .slice(0, charsMax)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z\d]+/g)
  return (parts ?? []).map(singular)
}

/** `word`, of small letters, without the ending of a plural. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || SINGULAR.has(word) || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|ss|x)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** The words of a name, kept: the same name gives the same list. */
export const wordsOfName = keptByName((name): readonly string[] => wordsOf(name))
