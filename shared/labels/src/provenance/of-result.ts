import { longPattern } from '../text/data.js'
import { type Fingerprint, FINGERPRINTS_MAX, RESULT_FINGERPRINTS_MAX } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { type HiddenForms, addHidden, hiddenForms } from './encodings/hidden.js'
import { type FingerprintList, NOTHING } from './fingerprint-list.js'
import { addGrams } from './grams.js'
import {
  type Candidates,
  type Tier,
  CANDIDATES_MAX,
  TIERS,
  createCandidates,
  letterAt,
} from './values/candidates.js'
import { linkPartsOf } from './links.js'
import { findValues } from './values/values.js'
import { dropPlainSettings, passwordsIn } from './values/settings.js'
import { addFullWords, addWord, addWords } from './values/words.js'

export interface ResultFingerprints {
  readonly fingerprints: Fingerprint[]
  /** Whether `fingerprints` omit distinctive values or longer passages of the text. */
  readonly partial: boolean
  readonly instructed: Fingerprint[]
  /** Parts of links with their hosts. */
  readonly linkParts: Fingerprint[]
}

/** A limit per result: a session's record holds about 760, and a step must stay cheap. */
interface Room {
  readonly all: number
  /** Values that come before passages of text, which also need room. */
  readonly values: number
  /** With hidden forms. */
  readonly withHidden: number
}
const ROOM: Room = { all: 96, values: 64, withHidden: FINGERPRINTS_MAX }
/** What is sensitive needs a whole list: else it is not known of any later step that it carries nothing. An inbox of ten mails fits. */
const ROOM_OF_SENSITIVE: Room = { all: 160, values: 88, withHidden: RESULT_FINGERPRINTS_MAX }
/** With less room left than this, skipped values are not reconsidered. */
const LEFT_OVER_MIN = 16
/** An undecodable run of this length, in code units, is a file or picture, not an id. */
const UNKNOWN_UNITS_MAX = 256
/** Values of instruction-like passages that come before their words. */
const INSTRUCTED_VALUES_MAX = 64
const VALUE_TIERS = [TIERS.target, TIERS.id, TIERS.name, TIERS.weak] as const

const candidates = createCandidates()
const within = createCandidates()

export function resultFingerprints(
  list: FingerprintList,
  seed: number,
  text: string,
  tokens: Tokens,
  segments: Segments,
  mayBeSensitive = false,
  keepsLinks = mayBeSensitive,
): ResultFingerprints {
  const room = mayBeSensitive ? ROOM_OF_SENSITIVE : ROOM
  list.allow(room.withHidden)
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  const all = [0, tokens.count] as const
  dropPlainSettings(text, candidates)
  addPasswords(list, passwordsIn(text, tokens))
  for (const tier of VALUE_TIERS) list.addTier(tokens.units, candidates, tier, room.values)
  if (list.size >= room.values || candidates.count >= CANDIDATES_MAX) list.markPartial()
  addGrams(list, tokens, all, room.all - list.size, seed)
  if (room.all - list.size >= LEFT_OVER_MIN)
    for (const tier of [...VALUE_TIERS, TIERS.part]) list.addTier(tokens.units, candidates, tier, room.all)
  const hidden = addHiddenForms(list, text, tokens, room.withHidden)
  const found = list.take()
  // A result in which there is nothing is no unread one.
  const fingerprints = found.length === 0 && isEmpty(text) ? [NOTHING] : found
  return {
    fingerprints,
    partial: list.wasPartial,
    linkParts: keepsLinks ? linkPartsOf(list, text, candidates, hidden.parts) : [],
    instructed: segments.length === 0 ? [] : instructed(list, seed, tokens, segments),
  }
}

/** Adds passwords in the forms in which a later step may have them: whole, and as a word. */
function addPasswords(list: FingerprintList, passwords: readonly string[]): void {
  for (const password of passwords) {
    list.addText('i', password)
    addWord(list, 'i', password)
  }
}

const EMPTY_UNITS_MAX = 400
/** A line of a list, table or page without an entry: `[]`, `"messages": []`, `total: 0`, `null`. */
const EMPTY_LINE = longPattern('of-result.EMPTY_LINE')

const isEmpty = (text: string): boolean =>
  text.length <= EMPTY_UNITS_MAX && text.split(/[\n,]/).every((line) => EMPTY_LINE.test(line))

/** Adds encoded, spaced-out and glued values. */
function addHiddenForms(list: FingerprintList, text: string, tokens: Tokens, limit: number): HiddenForms {
  const hidden = hiddenForms(text, tokens)
  addHidden(list, hidden, limit)
  list.addTier(tokens.units, hidden.parts, TIERS.variant, limit)
  if (list.size >= limit || !hidden.isWhole || hidden.unknown > UNKNOWN_UNITS_MAX) list.markPartial()
  return hidden
}

function instructed(list: FingerprintList, seed: number, tokens: Tokens, segments: Segments): Fingerprint[] {
  const ranges = segments.map(([start, end]) => [firstFrom(tokens, start), firstFrom(tokens, end)] as const)
  keepWithin(segments)
  for (const tier of VALUE_TIERS) list.addTier(tokens.units, within, tier, INSTRUCTED_VALUES_MAX)
  for (const range of ranges) addWords(list, tokens, range, FINGERPRINTS_MAX)
  list.addTier(tokens.units, within, TIERS.part, FINGERPRINTS_MAX)
  for (const range of ranges) addFullWords(list, tokens, range, FINGERPRINTS_MAX)
  for (const range of ranges) addGrams(list, tokens, range, FINGERPRINTS_MAX - list.size, seed)
  return list.take()
}

/** Copies to `within` the values that begin in one of `segments`; both are in order. */
function keepWithin(segments: Segments): void {
  within.clear()
  let at = 0
  for (const [start, end] of segments) {
    while (at < candidates.count && (candidates.start[at] ?? 0) < start) at++
    for (; at < candidates.count && (candidates.start[at] ?? 0) < end; at++) copy(candidates, at, within)
  }
}

function copy(from: Candidates, at: number, to: Candidates): void {
  const tier = (from.tier[at] ?? TIERS.part) as Tier
  to.add(letterAt(from, at), tier, from.start[at] ?? 0, from.end[at] ?? 0)
}

/** The first token that begins at `unit` or after it. */
function firstFrom({ start, count }: Tokens, unit: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((start[middle] ?? 0) < unit) low = middle + 1
    else high = middle
  }
  return low
}

/** Parts of a text in order, each `[start, end)` in UTF-16 code units. */
export type Segments = readonly (readonly [start: number, end: number])[]
