import { type Fingerprint, FINGERPRINTS_MAX } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { type HiddenForms, addHidden, hiddenForms } from './encodings/hidden.js'
import type { FingerprintList } from './fingerprint-list.js'
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
import { addFullWords, addWords } from './values/words.js'

export interface ResultFingerprints {
  readonly fingerprints: Fingerprint[]
  /** Whether `fingerprints` omit distinctive values or longer passages of the text. */
  readonly partial: boolean
  readonly instructed: Fingerprint[]
  /** Parts of links with their hosts. */
  readonly linkParts: Fingerprint[]
}

/** Limit per result: a session's record holds about 760, and a step must stay cheap. */
const RESULT_MAX = 96
/** Values that come before passages of text, which also need room. */
const VALUES_MAX = 64
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
): ResultFingerprints {
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  const all = [0, tokens.count] as const
  for (const tier of VALUE_TIERS) list.addTier(tokens.units, candidates, tier, VALUES_MAX)
  if (list.size >= VALUES_MAX || candidates.count >= CANDIDATES_MAX) list.markPartial()
  addGrams(list, tokens, all, RESULT_MAX - list.size, seed)
  if (RESULT_MAX - list.size >= LEFT_OVER_MIN)
    for (const tier of [...VALUE_TIERS, TIERS.part]) list.addTier(tokens.units, candidates, tier, RESULT_MAX)
  const hidden = addHiddenForms(list, text, tokens)
  const fingerprints = list.take()
  return {
    fingerprints,
    partial: list.wasPartial,
    linkParts: mayBeSensitive ? linkPartsOf(list, text, candidates, hidden.parts) : [],
    instructed: segments.length === 0 ? [] : instructed(list, seed, tokens, segments),
  }
}

/** Adds encoded, spaced-out and glued values. */
function addHiddenForms(list: FingerprintList, text: string, tokens: Tokens): HiddenForms {
  const hidden = hiddenForms(text, tokens)
  addHidden(list, hidden, FINGERPRINTS_MAX)
  list.addTier(tokens.units, hidden.parts, TIERS.variant, FINGERPRINTS_MAX)
  if (list.size >= FINGERPRINTS_MAX || !hidden.isWhole || hidden.unknown > UNKNOWN_UNITS_MAX)
    list.markPartial()
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
