const NAME_CHARS_MAX = 256

/** The lower-case words of an identifier: `sendEmail`, `send_email` and `gmail.send-email` end in `send`, `email`. */
export function wordsOfName(name: string): string[] {
  const spaced = name
    .slice(0, NAME_CHARS_MAX)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
  return spaced
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** Cache size. Tools and descriptions are few and repeat. */
const KNOWN_MAX = 1_024
const known = new Map<string, readonly string[]>()

/** `wordsOfName` with a cache. */
export function knownWordsOf(name: string): readonly string[] {
  const found = known.get(name)
  if (found) return found
  const words = wordsOfName(name)
  if (known.size < KNOWN_MAX && name.length <= NAME_CHARS_MAX) known.set(name, words)
  return words
}
