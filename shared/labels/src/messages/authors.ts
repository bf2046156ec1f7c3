import { readSet } from '../text/data.js'

/** Words of one name or address that are compared. */
const WORDS_MAX = 6

/**
 * The forms in which a person may be named: the whole, what stands before the `@`, and each word of it that may be a name. The first is the whole
 * address, by which two authors differ.
 */
export function formsOfAuthor(author: string): readonly string[] {
  const address = /[\w.+-]{1,64}@[\w.-]{1,253}/.exec(author)?.[0]
  const whole = address ?? author.trim().slice(0, 128)
  const local = whole.split('@', 1)[0] ?? ''
  const words = [local, address === undefined ? '' : author.replace(address, ' ')]
    .flatMap((text) => text.split(/[^A-Za-zÀ-ɏ]+/))
    .filter((word) => word.length > 1 && !NOBODY.has(word.toLowerCase()))
  return [...new Set([whole, local, ...words.slice(0, WORDS_MAX)])].filter(
    (form) => !NOBODY.has(form.toLowerCase()),
  )
}

/** Words of addresses that are no one's name. */
const NOBODY = readSet('messages', 'addresses')
