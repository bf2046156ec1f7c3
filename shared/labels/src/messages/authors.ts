import { readSet, longPattern } from '../text/data.js'
import { keptByName } from '../text/kept.js'

/** Forms of one name or address that are compared. */
const FORMS_MAX = 7
const CHARS_MAX = 128

const ADDRESS = longPattern('authors.ADDRESS')

/**
 * The forms in which a person may be named: the whole, and if it is an address what stands before the `@`; then each word that may be a name. The
 * first is the whole, by which two people differ. A name shown beside an address is whatever its owner writes, and does not count. Empty where it
 * is not plain whose address it is.
 */
export const formsOfAuthor = keptByName(readForms)

function readForms(author: string): readonly string[] {
  const whole = (author.includes('<') ? (/<([^<>]*)>\s*$/.exec(author)?.[1] ?? author) : author).trim()
  if (whole.length > CHARS_MAX || (/[@<>]/.test(author) && !ADDRESS.test(whole))) return []
  const forms: string[] = []
  const add = (form: string): void => {
    if (
      form.length > 0 &&
      forms.length < FORMS_MAX &&
      !forms.includes(form) &&
      !NOBODY.has(form.toLowerCase())
    )
      forms.push(form)
  }
  add(whole)
  const at = whole.indexOf('@')
  const local = at < 0 ? whole : whole.slice(0, at)
  add(local)
  if (NO_LETTER.test(local)) for (const word of local.split(NO_LETTER)) if (word.length > 1) add(word)
  return forms
}

const NO_LETTER = /[^A-Za-zÀ-ɏ]+/

/** Words of addresses that are no one's name. */
const NOBODY = readSet('messages', 'addresses')
