import { FINGERPRINTS_MAX, type Fingerprint } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import type { ArgumentText, Leaf } from './argument-text.js'
import { createCandidates, TIERS } from './candidates.js'
import type { FingerprintList } from './fingerprint-list.js'
import { findValues } from './values.js'

/** Characters of a value that says whom or what a step is about; a longer one is content. */
const VALUE_UNITS_MAX = 256
/** Values looked at, each against all the text. */
const VALUES_MAX = 8

/** Kinds that an argument's name gives to whom or what a step is about: an address, an account, a link, an id. */
const LETTERS = 'acui'
/** A number too small to tell anybody from others. */
const AMOUNT = /^\d{1,5}(?:\.\d{1,2})?$/
/** A day, with a time or without: when a step takes place is no content either. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const BEFORE_HOST = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/)?(?:www\.)?/i

/**
 * Fingerprints of the whole values of arguments that say whom or what a step is about (`to`, `account`, `url`, `event_id`), when it takes
 * place, or how much. A value that stands in another kind of argument too is content there, and is left out.
 */
export function addressedFingerprints(list: FingerprintList, { text, leaves }: ArgumentText): Fingerprint[] {
  const about = leaves.filter((leaf) => isAbout(text, leaf)).slice(0, VALUES_MAX)
  if (about.length === 0) return []
  const content = leaves
    .filter((leaf) => !isAbout(text, leaf))
    .map(({ start, end }) => text.slice(start, end).toLowerCase())
    .join('\n')
  for (const { letter, start, end } of about) {
    const value = text.slice(start, end)
    if (content.includes(value.trim().toLowerCase())) continue
    list.add(letter, text, start, end)
    if (letter === 'u') addLink(list, text, start, end)
    if (MOMENT.test(value) || AMOUNT.test(value)) addFound(list, value)
  }
  return list.take()
}

/** A link as values of a text are found: without its scheme, and its host by itself. */
function addLink(list: FingerprintList, text: string, start: number, end: number): void {
  const value = text.slice(start, end)
  const host = start + (BEFORE_HOST.exec(value)?.[0].length ?? 0)
  const path = text.slice(host, end).search(/[/?#]/)
  list.add('u', text, host, end)
  if (path > 0) list.add('u', text, host, host + path)
}

const scan = createTokenScanner()
const found = createCandidates()

/** Whatever of a moment or a number is found as a value of its own. */
function addFound(list: FingerprintList, value: string): void {
  const tokens = scan(value)
  found.clear()
  findValues(value, tokens, 0, tokens.count, found)
  for (const tier of Object.values(TIERS)) list.addTier(value, found, tier, FINGERPRINTS_MAX)
}

function isAbout(text: string, { start, end, letter, isTarget }: Leaf): boolean {
  if (end - start > VALUE_UNITS_MAX) return false
  const value = text.slice(start, end)
  return (
    ((isTarget || letter === 'i') && LETTERS.includes(letter)) || MOMENT.test(value) || AMOUNT.test(value)
  )
}
