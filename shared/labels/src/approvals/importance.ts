import { kindOf } from '../arguments/destinations.js'
import { hostOfAddress } from '../arguments/web.js'
import { roleOf } from '../provenance/argument-text.js'
import { knownWordsOf } from '../provenance/values/name-words.js'
import { readSet, longPattern } from '../text/data.js'

/** What an approver must see first, in order: recipients, amounts, places, commands; free text comes last. */
export const IMPORTANCE = ['recipient', 'amount', 'place', 'command', 'other'] as const
export type Importance = (typeof IMPORTANCE)[number]

const AMOUNTS = readSet('arguments', 'amounts')
/** Permission levels, and flags that skip confirmation. */
const LEVELS = readSet('arguments', 'levels')
const COMMANDS = readSet('arguments', 'commands')

/** Longer names are cut here, so that the cache holds no long strings. */
const NAME_CHARS_MAX = 256

const BY_KIND = { recipient: 'recipient', opened: 'recipient', host: 'place', record: 'place' } as const
const BY_ROLE = { a: 'recipient', c: 'recipient', u: 'place', p: 'place', i: 'place' } as const

/** The importance of an argument by its name; undefined if unknown. */
export function importanceOfName(given: string): Importance | undefined {
  const name = given.slice(0, NAME_CHARS_MAX)
  const known = knownWordsOf(name)
  if (known.some((word) => LEVELS.has(word)) || LEVELS.has(name.toLowerCase())) return 'place'
  const last = known.findLast((word) => AMOUNTS.has(word) || COMMANDS.has(word))
  const kind = kindOf(name)
  if (last !== undefined && (kind === undefined || kind === 'text'))
    return AMOUNTS.has(last) ? 'amount' : 'command'
  if (kind === 'text') return 'other'
  if (kind !== undefined) return BY_KIND[kind]
  const role = roleOf(name)
  const letter = role?.letter as keyof typeof BY_ROLE | undefined
  return letter === undefined ? undefined : BY_ROLE[letter]
}

/** Longer texts, in characters, are neither addresses nor paths. */
const VALUE_CHARS_MAX = 4_096

const ADDRESS = longPattern('importance.ADDRESS')
const URL = longPattern('importance.URL')
const PATH = longPattern('importance.PATH')

/** The importance of a value by itself, whatever its argument: an address, a link, a path. */
export function importanceOfValue(value: unknown): Importance | undefined {
  if (typeof value !== 'string' || value.length > VALUE_CHARS_MAX) return undefined
  const text = value.trim()
  if (ADDRESS.test(text) || hostOfAddress(text) !== undefined) return 'recipient'
  return URL.test(text) || PATH.test(text) ? 'place' : undefined
}
