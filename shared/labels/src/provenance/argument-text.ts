import { type Fingerprint, type FingerprintLetter, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import { readText } from '../text/text-of.js'
import { createTokenScanner } from '../text/tokens.js'
import type { FingerprintList } from './fingerprint-list.js'
import { TIERS, createCandidates } from './values/candidates.js'
import { wordsOfName } from './values/name-words.js'
import { findValues } from './values/values.js'
import { byWord } from '../text/data.js'

/** What an argument's name says of its values. */
export interface Role {
  readonly letter: FingerprintLetter
  readonly isTarget: boolean
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
]

const BY_WORD = byWord(ROLES)

/** Names come from agents: so many are remembered, the rest are looked up each time. */
const KNOWN_MAX = 1_024
const known = new Map<string, Role | undefined>()

/** The role that the last telling word of `name` gives (`recipient_id`, `fileName`, `user_email`); undefined where none does. */
export function roleOf(name: string): Role | undefined {
  if (known.has(name)) return known.get(name)
  const role = wordsOfName(name)
    .map((word) => BY_WORD.get(word))
    .findLast((found) => found !== undefined)
  if (known.size < KNOWN_MAX) known.set(name, role)
  return role
}

/** The values of a call's arguments one under the other, and where each stands. */
export interface ArgumentText {
  readonly text: string
  readonly leaves: readonly Leaf[]
  /** Whether there was more than is read. */
  readonly cut: boolean
}
export interface Leaf {
  readonly start: number
  readonly end: number
  readonly letter: FingerprintLetter
  /** Whether the argument's name says that something goes there. */
  readonly isTarget: boolean
}

/** Characters of arguments that are read: of a longer value its beginning and its end. */
export const ARGUMENT_CHARS_MAX = 65_536
const VALUE_HEAD_CHARS = 24_576
const VALUE_TAIL_CHARS = 8_192
/** Values of a call that are read. */
export const LEAVES_MAX = 512
const DEPTH_MAX = 12

/** Never throws: a value that cannot be read is skipped. */
export function argumentText(values: unknown): ArgumentText {
  const leaves: Leaf[] = []
  const parts: string[] = []
  let length = 0
  let isCut = false

  function add(value: string, { letter, isTarget }: Role): void {
    if (value === '') return
    if (leaves.length >= LEAVES_MAX || length >= ARGUMENT_CHARS_MAX) return void (isCut = true)
    const part = cut(value)
    isCut ||= part !== value
    leaves.push({ start: length, end: length + part.length, letter, isTarget })
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
    for (const [name, each] of firstOf(Object.entries(value))) walkMember(name, each, role, depth + 1)
  }

  function walkAll(values: readonly unknown[], role: Role, depth: number): void {
    for (const each of firstOf(values)) walk(each, role, depth)
  }

  /** What is no JSON: what it holds is read where that is known, and of anything else its members, which may not be all. */
  function walkOther(value: object, role: Role, depth: number): void {
    if (value instanceof Map || value instanceof Set) return walkAll(Array.from(value), role, depth)
    const { text, isWhole } = readText(value)
    isCut ||= !isWhole
    add(text.trimEnd(), role)
  }

  function walkMember(name: string, value: unknown, role: Role, depth: number): void {
    if (!ORDINARY_NAME.test(name)) add(name, PLAIN)
    walk(value, roleOf(name) ?? role, depth)
  }

  function firstOf<T>(all: readonly T[]): readonly T[] {
    isCut ||= all.length > LEAVES_MAX
    return all.slice(0, LEAVES_MAX)
  }

  try {
    walk(values, PLAIN, 0)
  } catch {
    // A getter or a proxy that throws: what was read before it counts.
    isCut = true
  }
  return { text: parts.join('\n'), leaves, cut: isCut }
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Names are part of what is sent, too: those that could be more than names are read as values. Words, with two digits at most behind
 * them, are names; what bends like something encoded, and two capitalised words, are not.
 */
const ORDINARY_NAME =
  /^(?:[a-z$_-]{1,32}|[A-Z_]{1,32}|_?[A-Za-z]?[a-z]*(?:[A-Z][a-z]+|[A-Z]{2,4}(?![a-z])){0,5})\d{0,2}$/

const PLAIN: Role = { letter: 'n', isTarget: false }

function cut(value: string): string {
  if (value.length <= VALUE_HEAD_CHARS + VALUE_TAIL_CHARS) return value
  return `${value.slice(0, VALUE_HEAD_CHARS)}\n${value.slice(-VALUE_TAIL_CHARS)}`
}

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
