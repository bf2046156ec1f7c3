import { type Fingerprint, type FingerprintLetter, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { readText } from '../text/text-of.js'
import { createTokenScanner } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { TIERS, createCandidates } from './values/candidates.js'
import { wordsOfName } from './values/name-words.js'
import { findParts, hiddenStartsOf } from './values/parts.js'
import { findValues } from './values/values.js'
import { byWord, longPattern, readSet } from '../text/data.js'

/** What the name of an argument says about its values. */
export interface Role {
  readonly letter: FingerprintLetter
  readonly isTarget: boolean
  /** Whether it is a place that the tool works in, and no content: a repository. */
  readonly isPlace?: boolean
  /** Whether it is the conversation that a message belongs to. */
  readonly isThread?: boolean
}

const ROLES: readonly (readonly [words: string, role: Role])[] = [
  ['url uri link webhook endpoint website webpage site href', { letter: 'u', isTarget: true }],
  ['host hostname domain server', { letter: 'u', isTarget: true }],
  ['iban account card wallet', { letter: 'c', isTarget: true }],
  [
    `to cc bcc recipient recipients receiver email emails mail address addresses user users username channel channels participant
    participants attendee attendees invitee invitees assignee assignees member members contact contacts phone destination dest
    beneficiary payee customer owner`,
    { letter: 'a', isTarget: true },
  ],
  ['path paths file files filename filepath directory dir folder', { letter: 'p', isTarget: false }],
  ['id ids uuid number code reference ref sha', { letter: 'i', isTarget: false }],
  // Services of payments give these by their ids.
  ['charge intent invoice subscription transaction', { letter: 'i', isTarget: false }],
  ['repo repository', { letter: 'n', isTarget: false, isPlace: true }],
]

const BY_WORD = byWord(ROLES)
const THREAD: Role = { letter: 'i', isTarget: false, isThread: true }
const THREADS = readSet('arguments', 'threads')

/** Whose mailbox it is: all tools of Google Workspace are given it. */
export const OWN_MAILBOX = 'user_google_email'

/** Names come from agents, so only this many are cached. */
const KNOWN_MAX = 1_024
const known = new Map<string, Role | undefined>()

/** The role by the last known word of `name` (`recipient_id`, `fileName`, `user_email`); undefined if no word is known. */
export function roleOf(name: string): Role | undefined {
  if (known.has(name)) return known.get(name)
  const words = wordsOfName(name)
  const isThread =
    words.some((word) => THREADS.has(word)) || (words.includes('in') && words.includes('reply'))
  const role = isThread
    ? THREAD
    : name === OWN_MAILBOX
      ? undefined
      : words.map((word) => BY_WORD.get(word)).findLast((found) => found !== undefined)
  if (known.size < KNOWN_MAX) known.set(name, role)
  return role
}

/** The argument values of a call as one text, one per line, with their positions. */
export interface ArgumentText {
  readonly text: string
  readonly leaves: readonly Leaf[]
  /** Whether some values were not read. */
  readonly cut: boolean
}
export interface Leaf {
  readonly start: number
  readonly end: number
  readonly letter: FingerprintLetter
  /** Whether the argument's name is a target, such as a recipient. */
  readonly isTarget: boolean
  readonly isPlace: boolean
  readonly isThread: boolean
}

/** Characters of arguments that are read in total. A longer value is read at its beginning and end. */
export const ARGUMENT_CHARS_MAX = 65_536
const VALUE_HEAD_CHARS = 24_576
const VALUE_TAIL_CHARS = 8_192
/** Values read per call. */
export const LEAVES_MAX = 512
const DEPTH_MAX = 12

/** Never throws: an unreadable value is skipped. */
export function argumentText(values: unknown): ArgumentText {
  const leaves: Leaf[] = []
  const parts: string[] = []
  let length = 0
  let isCut = false

  function add(value: string, { letter, isTarget, isPlace = false, isThread = false }: Role): void {
    if (value === '') return
    if (leaves.length >= LEAVES_MAX || length >= ARGUMENT_CHARS_MAX) return void (isCut = true)
    const part = cut(value)
    isCut ||= part !== value
    leaves.push({ start: length, end: length + part.length, letter, isTarget, isPlace, isThread })
    parts.push(part)
    length += part.length + 1
  }

  function walk(value: unknown, role: Role, depth: number): void {
    if (typeof value === 'string') return add(value, role)
    if (typeof value === 'number' || typeof value === 'bigint') return add(String(value), role)
    if (typeof value === 'function' || typeof value === 'symbol') return void (isCut = true)
    if (typeof value !== 'object' || value === null) return
    if (depth >= DEPTH_MAX || leaves.length >= LEAVES_MAX) return void (isCut = true)
    if (Array.isArray(value)) return walkAll(value, role, depth + 1)
    if (!isPlainObject(value)) return walkOther(value, role, depth + 1)
    const places = placesOfTravel(value)
    for (const [name, each] of firstOf(Object.entries(value)))
      walkMember(name, each, role, depth + 1, places.includes(name))
  }

  function walkAll(values: readonly unknown[], role: Role, depth: number): void {
    for (const each of firstOf(values)) walk(each, role, depth)
  }

  /** Reads a value that is no JSON: its content if its class is known, else its members, which may be incomplete. */
  function walkOther(value: object, role: Role, depth: number): void {
    if (value instanceof Map || value instanceof Set) return walkAll(Array.from(value), role, depth)
    const { text, isWhole } = readText(value)
    isCut ||= !isWhole
    add(text.trimEnd(), role)
  }

  function walkMember(name: string, value: unknown, role: Role, depth: number, isPlace: boolean): void {
    if (!ORDINARY_NAME.test(name)) add(name, PLAIN)
    walk(value, isPlace ? PLAIN : (roleOf(name) ?? role), depth)
  }

  function firstOf<T>(all: readonly T[]): readonly T[] {
    isCut ||= all.length > LEAVES_MAX
    return all.slice(0, LEAVES_MAX)
  }

  try {
    walk(values, PLAIN, 0)
  } catch {
    // A getter or proxy that throws. Values read before it count.
    isCut = true
  }
  return { text: parts.join('\n'), leaves, cut: isCut }
}

const TRAVEL: readonly string[] = ['origin', 'destination']
/** A city, or the code of an airport: no host, address or id. */
const CITY = longPattern('argument-text.CITY')
const HOST_END = /[.]\p{L}/u
const NO_PLACES: readonly string[] = []

/**
 * The members that say where a journey begins and ends, and not where data goes. Nothing without both.
 *
 * @example placesOfTravel({ origin: 'DTW', destination: 'SEA' }) // ['origin', 'destination']
 */
export const placesOfTravel = (members: object): readonly string[] =>
  'origin' in members &&
  'destination' in members &&
  [members.origin, members.destination].every(
    (place) => typeof place === 'string' && CITY.test(place) && !HOST_END.test(place),
  )
    ? TRAVEL
    : NO_PLACES

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Names of arguments are sent too, so unusual ones are read as values. Words with at most two digits at the end are usual. Names that look
 * encoded, and two capitalised words, are not.
 */
const ORDINARY_NAME = longPattern('argument-text.ORDINARY_NAME')

const PLAIN: Role = { letter: 'n', isTarget: false }

function cut(value: string): string {
  if (value.length <= VALUE_HEAD_CHARS + VALUE_TAIL_CHARS) return value
  return `${value.slice(0, VALUE_HEAD_CHARS)}\n${value.slice(-VALUE_TAIL_CHARS)}`
}

/** Longer values, in characters, are content, not a target or id. */
const VALUE_UNITS_MAX = 256
/** Limit of addressed values, because each is compared with the whole text. */
const VALUES_MAX = 16

/** Letters of roles that address something: an address, an account, a link, an id. */
const LETTERS = 'acui'
/** A number too short to identify anyone. */
const AMOUNT = /^\d{1,5}(?:\.\d{1,2})?$/
/** A date with an optional time: the time of a step is not content. */
const MOMENT = longPattern('argument-text.MOMENT')
/** An account as it is paid to, whose digits alone are one of its forms. */
const ACCOUNT = longPattern('argument-text.ACCOUNT')
/** An id whose number is a value of its own: `credit_card_8897086`. */
const PREFIXED = longPattern('argument-text.PREFIXED')
const HAS_PARTS = [MOMENT, AMOUNT, ACCOUNT, PREFIXED]
/** `owner/name`. */
const REPOSITORY = longPattern('argument-text.REPOSITORY')
const BEFORE_HOST = longPattern('argument-text.BEFORE_HOST')

/**
 * Fingerprints of whole argument values that say whom or what a step addresses (`to`, `account`, `url`, `event_id`), when, or how much. A
 * value that also occurs in another kind of argument is content and left out, unless it is a date or time. Of a push, the folder that it pushes is no content either:
 * what it sends was judged when it was written.
 */
export const addressedFingerprints = (
  list: FingerprintList,
  given: ArgumentText,
  isPush: boolean,
): Fingerprint[] => aboutFingerprints(list, given, (leaf) => isAbout(given.text, leaf, isPush))

/** An id that a service gives its records: a number, hexadecimal digits, `WEB-104`, `C04GENERAL`; no key, which is longer or mixed. */
const RECORD = longPattern('argument-text.RECORD')

/** A short prefix and a number, `msg_104`, `m3`, beside the forms above. */
const THREAD_ID = longPattern('argument-text.THREAD_ID')

/** Fingerprints of the ids of conversations that a message is sent in, if they occur in no other argument: they say where, not what. */
export const threadFingerprints = (list: FingerprintList, given: ArgumentText): Fingerprint[] =>
  given.leaves.some(({ isThread }) => isThread)
    ? aboutFingerprints(list, given, (leaf) => leaf.isThread && isRecordId(given.text, leaf), true)
    : []

/** Fingerprints of the whole argument values that are ids of records by name and form, and of their parts, if they occur in no other argument. */
export const recordFingerprints = (list: FingerprintList, given: ArgumentText): Fingerprint[] =>
  aboutFingerprints(list, given, (leaf) => isRecord(given.text, leaf), true)

/** Fingerprints of whole argument values that `isKnown`, and of their parts, if they occur in no other argument. */
export const knownFingerprints = (
  list: FingerprintList,
  given: ArgumentText,
  isKnown: (value: string) => boolean,
): Fingerprint[] =>
  aboutFingerprints(list, given, ({ start, end }) => isKnown(given.text.slice(start, end)), true)

const isRecord = (text: string, { start, end, letter }: Leaf): boolean =>
  letter === 'i' && end - start <= RECORD_UNITS_MAX && RECORD.test(text.slice(start, end))
const isRecordId = (text: string, leaf: Leaf): boolean =>
  isRecord(text, leaf) ||
  THREAD_ID.test(text.slice(leaf.start, Math.min(leaf.end, leaf.start + RECORD_UNITS_MAX)))
const RECORD_UNITS_MAX = 36

function aboutFingerprints(
  list: FingerprintList,
  { text, leaves }: ArgumentText,
  isOne: (leaf: Leaf) => boolean,
  withParts = false,
): Fingerprint[] {
  const about = leaves.filter(isOne).slice(0, VALUES_MAX)
  if (about.length === 0) return []
  const content = leaves
    .filter((leaf) => !isOne(leaf))
    .map(({ start, end }) => text.slice(start, end).toLowerCase())
    .join('\n')
  for (const { letter, start, end } of about) {
    const value = text.slice(start, end)
    // When it is may be said again: it leaves anyway.
    if (!MOMENT.test(value) && content.includes(value.trim().toLowerCase())) continue
    list.addText(letter, value)
    if (letter === 'u') addLink(list, value)
    if (withParts || letter === 'p' || HAS_PARTS.some((form) => form.test(value))) addFound(list, value)
  }
  return list.take()
}

/** Adds a link in the form in which links in text are found: without its scheme, and its host alone. */
function addLink(list: FingerprintList, value: string): void {
  const link = linkOf(value)
  const path = link.search(/[/?#]/)
  list.addText('u', link)
  if (path > 0) list.addText('u', link.slice(0, path))
}

/** A link in the form in which those in a text are found. */
export const linkOf = (value: string): string => value.replace(BEFORE_HOST, '')

const scan = createTokenScanner()
const found = createCandidates()

/** Adds the parts of a date, number, account or path that count as values of their own. */
function addFound(list: FingerprintList, value: string): void {
  const tokens = scan(value)
  found.clear()
  findValues(value, tokens, 0, tokens.count, found)
  findParts(tokens, hiddenStartsOf(tokens), found)
  for (const tier of Object.values(TIERS)) list.addTier(tokens.units, found, tier, FINGERPRINTS_MAX)
}

function isAbout(text: string, { start, end, letter, isTarget, isPlace }: Leaf, isPush: boolean): boolean {
  if (end - start > VALUE_UNITS_MAX) return false
  const value = text.slice(start, end)
  return (
    (isPlace && REPOSITORY.test(value)) ||
    (isPush && letter === 'p') ||
    ((isTarget || letter === 'i') && LETTERS.includes(letter)) ||
    MOMENT.test(value) ||
    AMOUNT.test(value)
  )
}
