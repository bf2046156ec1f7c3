import { longPattern } from '../text/data.js'
import { type Fingerprint, FINGERPRINTS_MAX, nameBehindServer } from '@plimsoll/contracts'
import { keptByName } from '../text/kept.js'
import type { Tokens } from '../text/tokens.js'
import { type ArgumentText, type Leaf, LEAVES_MAX } from './argument-text.js'
import { addHidden, hiddenForms } from './encodings/hidden.js'
import { areAllWithin } from './encodings/opaque.js'
import { scatteredValues } from './encodings/scattered.js'
import { spelledValues } from './encodings/spelled.js'
import type { FingerprintList } from './fingerprint-list.js'
import { GRAM_WORDS, addGrams } from './grams.js'
import { addLinkParts } from './link-parts.js'
import { type Candidates, CANDIDATES_MAX, TIERS, createCandidates } from './values/candidates.js'
import { knownWordsOf } from './values/name-words.js'
import { addNormal, createNormalForm, reverse } from './values/normal-form.js'
import { hiddenStartsOf } from './values/parts.js'
import { findValues } from './values/values.js'
import { addWord, addWords } from './values/words.js'

/** Two arguments up to this length may be halves of one value. */
const JOINED_UNITS_MAX = 40
const REVERSED_UNITS_MIN = 6

const form = createNormalForm()

/** Adds each pair of neighbouring short argument values as one value. */
export function addJoined(
  list: FingerprintList,
  units: Uint16Array,
  leaves: ArgumentText['leaves'],
  limit: number,
): void {
  for (let at = 0; at + 1 < leaves.length && list.size < limit; at++) {
    const [first, second] = [leaves[at], leaves[at + 1]]
    if (!first || !second) return
    if (first.end - first.start > JOINED_UNITS_MAX || second.end - second.start > JOINED_UNITS_MAX) continue
    form.length = 0
    addNormal(form, units, first.start, first.end)
    addNormal(form, units, second.start, second.end)
    list.addForm('g', form)
  }
}

/** Limit of fragments, because each is joined with every other. */
const FRAGMENTS_MAX = 8
const FRAGMENT_SOLID_MIN = 5

/** Adds joined pairs of short values that are not neighbours and are no values themselves. */
export function addApart(
  list: FingerprintList,
  text: string,
  tokens: Tokens,
  leaves: ArgumentText['leaves'],
  isValue: Uint8Array,
  limit: number,
): void {
  const fragments = leaves.filter(
    ({ start, end }, i) =>
      isValue[i] !== 1 && end - start <= JOINED_UNITS_MAX && isFragment(text.slice(start, end)),
  )
  if (fragments.length > FRAGMENTS_MAX) list.markPartial()
  const some = fragments.slice(0, FRAGMENTS_MAX)
  for (const first of some)
    for (const second of some) {
      if (first === second || list.size >= limit) continue
      form.length = 0
      addNormal(form, tokens.units, first.start, first.end)
      addNormal(form, tokens.units, second.start, second.end)
      if (form.length >= FRAGMENT_SOLID_MIN) list.addForm('g', form)
    }
}

/** Halves of ids have digits; amounts and whole dates are excluded. */
const isFragment = (value: string): boolean => /^(?=\D*\d)\S+$/.test(value) && !AMOUNT_OR_DATE.test(value)

const AMOUNT_OR_DATE = longPattern('of-proposal.AMOUNT_OR_DATE')

/** Adds ids, accounts and addresses reversed. They count as text, so that they cannot make a target look unknown. */
export function addReversed(
  list: FingerprintList,
  units: Uint16Array,
  found: Candidates,
  limit: number,
): void {
  for (let at = 0; at < found.count && list.size < limit; at++) {
    const [start, end] = [found.start[at] ?? 0, found.end[at] ?? 0]
    if ((found.tier[at] ?? 0) > TIERS.id || end - start < REVERSED_UNITS_MIN) continue
    form.length = 0
    addNormal(form, units, start, end)
    reverse(form)
    list.addForm('g', form)
  }
}

export interface ProposalText {
  readonly tool: string
  readonly description: string | undefined
  readonly given: ArgumentText
  /** Tokens of the arguments' text. */
  readonly tokens: Tokens
}

/** Where each section of the list ends at most. Unused room goes to the next section. */
const TARGETS_END = 32
const TOOL_WORDS_MAX = 8
const VALUES_END = 56
const DESCRIPTION_WORDS_MAX = 8
const ARGUMENT_WORDS_MAX = 20
/** Room for joined and reversed values before passages of text. Their rest and hidden forms come after the passages. */
const VARIANTS_MAX = 12
const DESCRIPTION_CHARS_MAX = 200
/** Limit per proposal, including passages of text. */
const PROPOSAL_MAX = 96
const WHOLE_UNITS_MAX = 96
const WHOLE_TOKENS_MAX = 6

const candidates = createCandidates()

/** Fingerprints of a step: targets first, then the tool's words, other values, words and passages of long arguments. */
export function proposalFingerprints(
  list: FingerprintList,
  seed: number,
  { tool, description, given: { text, leaves, cut }, tokens }: ProposalText,
): Fingerprint[] {
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  const ranges = rangesOf(tokens, leaves)
  // A single URL or address is already listed, so its whole argument is not added.
  markDistinctive(leaves)
  leaves.forEach((leaf, i) => {
    if (isDistinctive[i] !== 1 || sizeOf(ranges[i]) > 1) addWhole(text, leaf, ranges[i] ?? EMPTY)
  })
  for (const tier of [TIERS.target, TIERS.role]) list.addTier(tokens.units, candidates, tier, TARGETS_END)
  if (cut || list.size >= TARGETS_END || candidates.count >= CANDIDATES_MAX) list.markPartial()
  addNameWords(list, tool)
  for (const tier of [TIERS.id, TIERS.name, TIERS.weak])
    list.addTier(tokens.units, candidates, tier, VALUES_END)
  if (list.size >= VALUES_END) list.markPartial()
  addDescriptionWords(list, description)
  addWords(list, tokens, [0, tokens.count], Math.min(PROPOSAL_MAX, list.size + ARGUMENT_WORDS_MAX))
  const variantsEnd = Math.min(PROPOSAL_MAX, list.size + VARIANTS_MAX)
  addVariants(list, tokens.units, leaves, variantsEnd)
  const areLeft = list.size >= variantsEnd
  addTextGrams(list, seed, tokens, ranges)
  addHiddenForms(list, text, tokens, leaves)
  addLinkParts(list, text, candidates, leaves)
  if (areLeft) addVariants(list, tokens.units, leaves, FINGERPRINTS_MAX)
  if (list.size >= FINGERPRINTS_MAX) list.markPartial()
  return list.take()
}

type Range = readonly [from: number, to: number]
const EMPTY: Range = [0, 0]
const sizeOf = ([from, to]: Range = EMPTY): number => to - from

/** The token range of each value. */
function rangesOf({ start, count }: Tokens, leaves: readonly Leaf[]): Range[] {
  let at = 0
  return leaves.map(({ end }) => {
    const from = at
    while (at < count && (start[at] ?? 0) < end) at++
    return [from, at]
  })
}

/** Adds a short argument as one value, with the role of its name. */
function addWhole(text: string, { start, end, letter, isTarget }: Leaf, [from, to]: Range): void {
  const size = end - start
  if (to === from || size > WHOLE_UNITS_MAX) return
  // Numbers are no names.
  if (letter === 'n' && DIGITS.test(text.slice(start, end))) return
  // Spaced-out letters that hide a word make more tokens than words do.
  if (to - from > WHOLE_TOKENS_MAX && size > 3 * (to - from)) return
  if (size < 2 && letter !== 'i') return
  candidates.add(letter, isTarget || letter === 'i' ? TIERS.role : TIERS.id, start, end)
}

const isDistinctive = new Uint8Array(LEAVES_MAX)

/** Sets `isDistinctive` for arguments that contain a target or an id. */
function markDistinctive(leaves: readonly Leaf[]): void {
  isDistinctive.fill(0, 0, leaves.length)
  let leaf = 0
  for (let at = 0; at < candidates.count; at++) {
    while (leaf < leaves.length && (leaves[leaf]?.end ?? 0) <= (candidates.start[at] ?? 0)) leaf++
    if ((candidates.tier[at] ?? 0) <= TIERS.id) isDistinctive[leaf] = 1
  }
}

const DIGITS = /^[\d\s.,-]*$/

/** Adds the words of a tool's name. Its server's name says nothing of what it does: *our linear tickets* names no `mcp__linear__save_issue`. */
function addNameWords(list: FingerprintList, tool: string): void {
  let room = TOOL_WORDS_MAX
  for (const word of toolWordsOf(tool)) if (room > 0 && addWord(list, 't', word)) room--
}

const toolWordsOf = keptByName((tool) => knownWordsOf(nameBehindServer(tool)))

/** Adds the words of a description's first sentence. */
function addDescriptionWords(list: FingerprintList, description = ''): void {
  const start = description.slice(0, DESCRIPTION_CHARS_MAX).trimStart()
  const stop = start.indexOf('.')
  const sentence = stop < 0 ? start : start.slice(0, stop)
  let room = DESCRIPTION_WORDS_MAX
  for (const word of knownWordsOf(sentence)) if (room > 0 && addWord(list, 'd', word)) room--
}

/** Adds values joined from two arguments, or reversed. */
function addVariants(
  list: FingerprintList,
  units: Uint16Array,
  leaves: readonly Leaf[],
  limit: number,
): void {
  addJoined(list, units, leaves, limit)
  addReversed(list, units, candidates, limit)
}

/** Adds unwrapped, decoded, spaced-out and glued forms. An ordinary text has none. */
function addHiddenForms(list: FingerprintList, text: string, tokens: Tokens, leaves: readonly Leaf[]): void {
  const hidden = hiddenForms(text, tokens)
  addHidden(list, hidden, FINGERPRINTS_MAX)
  list.addTier(tokens.units, hidden.parts, TIERS.variant, FINGERPRINTS_MAX)
  addApart(list, text, tokens, leaves, isDistinctive, FINGERPRINTS_MAX)
  if (!hidden.isWhole) list.markPartial()
  else if (hidden.unknown > 0)
    if (areAllWithin(text, candidates)) list.markOpaque()
    else list.markPartial()
  const scattered = scatteredValues(text, tokens, hiddenStartsOf(tokens))
  for (const value of scattered ?? []) list.addText('g', value)
  for (const value of spelledValues(text, leaves)) if (list.size < FINGERPRINTS_MAX) list.addText('g', value)
  if (!scattered) list.markPartial()
}

/** Adds passages of the longer arguments, each in proportion to its length. */
function addTextGrams(list: FingerprintList, seed: number, tokens: Tokens, ranges: readonly Range[]): void {
  const long = ranges.filter(([from, to]) => to - from >= GRAM_WORDS)
  const words = long.reduce((sum, [from, to]) => sum + to - from, 0)
  const room = PROPOSAL_MAX - list.size
  if (room <= 0) return long.length > 0 ? list.markPartial() : undefined
  for (const [from, to] of long)
    addGrams(list, tokens, [from, to], Math.max(1, Math.floor((room * (to - from)) / words)), seed)
}
