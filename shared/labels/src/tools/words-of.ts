import { readSet } from '../text/data.js'

/** Characters that are looked at: a name or a description beyond is no better for it. */
export const CHARS_MAX = 1_000

/** Words that end in `s` and are not several. */
const SINGULAR = readSet('tools', 'singular')

/**
 * The words of a name or a text: lower case, in the singular (`sends` is `send` too), in their order. Splits at `_`, `-`, spaces and
 * where a capital follows a small letter.
 *
 * @example wordsOf('getUnreadEmails') // ['get', 'unread', 'email']
 */
export function wordsOf(text: string): string[] {
  const parts = text
    .slice(0, CHARS_MAX)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z\d]+/g)
  return (parts ?? []).map(singular)
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || SINGULAR.has(word) || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|ss|x)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}
