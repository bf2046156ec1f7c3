import { FINGERPRINTS_MAX, type Fingerprint } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { LEAVES_MAX, type ArgumentText, type Leaf } from './argument-text.js'
import { CANDIDATES_MAX, createCandidates, TIERS } from './candidates.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addGrams, GRAM_WORDS } from './grams.js'
import { addHidden, hiddenForms } from './hidden.js'
import { knownWordsOf } from './name-words.js'
import { marksOf } from './marks.js'
import { scatteredValues } from './scattered.js'
import { findValues } from './values.js'
import { addApart, addJoined, addReversed } from './variants.js'
import { addWord, addWords } from './words.js'

export interface ProposalText {
  readonly tool: string
  readonly description: string | undefined
  readonly given: ArgumentText
  /** Of the arguments' text. */
  readonly tokens: Tokens
}

/** Where each part of the list ends at the latest; what a part leaves over is the next one's. */
const TARGETS_END = 32
const TOOL_WORDS_MAX = 8
const VALUES_END = 56
const DESCRIPTION_WORDS_MAX = 8
const ARGUMENT_WORDS_MAX = 20
/** Room kept for joined and reversed values before stretches of text; the rest of them, and hidden forms, come behind these. */
const VARIANTS_MAX = 12
const DESCRIPTION_CHARS_MAX = 200
/** Of one proposal, its stretches of text among them. */
const PROPOSAL_MAX = 96
const WHOLE_UNITS_MAX = 96
const WHOLE_TOKENS_MAX = 6

const candidates = createCandidates()

/** Of a proposed step: where it goes first, then the tool's words, other values, words and stretches of long arguments. */
export function proposalFingerprints(
  list: FingerprintList,
  seed: number,
  { tool, description, given: { text, leaves, cut }, tokens }: ProposalText,
): Fingerprint[] {
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  const ranges = rangesOf(tokens, leaves)
  // A URL or an address that stands alone needs no second telling.
  noteTold(leaves)
  leaves.forEach((leaf, i) => {
    if (told[i] !== 1 || sizeOf(ranges[i]) > 1) addWhole(text, leaf, ranges[i] ?? EMPTY)
  })
  for (const tier of [TIERS.target, TIERS.role]) list.addTier(text, candidates, tier, TARGETS_END)
  if (cut || list.size >= TARGETS_END || candidates.count >= CANDIDATES_MAX) list.passOver()
  addNameWords(list, tool)
  for (const tier of [TIERS.id, TIERS.name, TIERS.weak]) list.addTier(text, candidates, tier, VALUES_END)
  if (list.size >= VALUES_END) list.passOver()
  addDescriptionWords(list, description)
  addWords(list, text, tokens, [0, tokens.count], Math.min(PROPOSAL_MAX, list.size + ARGUMENT_WORDS_MAX))
  const variantsEnd = Math.min(PROPOSAL_MAX, list.size + VARIANTS_MAX)
  addVariants(list, text, leaves, variantsEnd)
  const areLeft = list.size >= variantsEnd
  addTextGrams(list, seed, text, tokens, ranges)
  addHiddenForms(list, text, tokens, leaves)
  if (areLeft) addVariants(list, text, leaves, FINGERPRINTS_MAX)
  if (list.size >= FINGERPRINTS_MAX) list.passOver()
  return list.take()
}

type Range = readonly [from: number, to: number]
const EMPTY: Range = [0, 0]
const sizeOf = ([from, to]: Range = EMPTY): number => to - from

/** The tokens of each value. */
function rangesOf({ start, count }: Tokens, leaves: readonly Leaf[]): Range[] {
  let at = 0
  return leaves.map(({ end }) => {
    const from = at
    while (at < count && (start[at] ?? 0) < end) at++
    return [from, at]
  })
}

/** A short value counts as a whole too, by what its argument's name says of it. */
function addWhole(text: string, { start, end, letter, isTarget }: Leaf, [from, to]: Range): void {
  const size = end - start
  if (to === from || size > WHOLE_UNITS_MAX) return
  // Numbers are no names.
  if (letter === 'n' && DIGITS.test(text.slice(start, end))) return
  // Letters set apart to hide a word make more tokens than words do.
  if (to - from > WHOLE_TOKENS_MAX && size > 3 * (to - from)) return
  if (size < 2 && letter !== 'i') return
  candidates.add(letter, isTarget || letter === 'i' ? TIERS.role : TIERS.id, start, end)
}

const told = new Uint8Array(LEAVES_MAX)

/** Notes in `told` which values hold a target or an id. */
function noteTold(leaves: readonly Leaf[]): void {
  told.fill(0, 0, leaves.length)
  let leaf = 0
  for (let at = 0; at < candidates.count; at++) {
    while (leaf < leaves.length && (leaves[leaf]?.end ?? 0) <= (candidates.start[at] ?? 0)) leaf++
    if ((candidates.tier[at] ?? 0) <= TIERS.id) told[leaf] = 1
  }
}

const DIGITS = /^[\d\s.,-]*$/

function addNameWords(list: FingerprintList, tool: string): void {
  let room = TOOL_WORDS_MAX
  for (const word of knownWordsOf(tool)) if (room > 0 && addWord(list, 't', word)) room--
}

/** The words of a description's first sentence. */
function addDescriptionWords(list: FingerprintList, description = ''): void {
  const start = description.slice(0, DESCRIPTION_CHARS_MAX).trimStart()
  const stop = start.indexOf('.')
  const sentence = stop < 0 ? start : start.slice(0, stop)
  let room = DESCRIPTION_WORDS_MAX
  for (const word of knownWordsOf(sentence)) if (room > 0 && addWord(list, 'd', word)) room--
}

/** Values put together from two arguments, or read backwards. */
function addVariants(list: FingerprintList, text: string, leaves: readonly Leaf[], limit: number): void {
  addJoined(list, text, leaves, limit)
  addReversed(list, text, candidates, limit)
}

/** Unwrapped, decoded, spelled apart or glued to something else: what a text without such forms has none of. */
function addHiddenForms(list: FingerprintList, text: string, tokens: Tokens, leaves: readonly Leaf[]): void {
  const hidden = hiddenForms(text, tokens)
  addHidden(list, hidden, FINGERPRINTS_MAX)
  list.addTier(text, hidden.parts, TIERS.variant, FINGERPRINTS_MAX)
  addApart(list, text, leaves, told, FINGERPRINTS_MAX)
  if (!hidden.isWhole || hidden.unknown > 0) list.passOver()
  const scattered = scatteredValues(text, tokens, marksOf(tokens))
  for (const value of scattered ?? []) if (list.size < FINGERPRINTS_MAX) list.add('g', value, 0, value.length)
  if (!scattered) list.passOver()
}

/** Stretches of the longer arguments, each by its share of the room that is left. */
function addTextGrams(
  list: FingerprintList,
  seed: number,
  text: string,
  tokens: Tokens,
  ranges: readonly Range[],
): void {
  const long = ranges.filter(([from, to]) => to - from >= GRAM_WORDS)
  const words = long.reduce((sum, [from, to]) => sum + to - from, 0)
  const room = PROPOSAL_MAX - list.size
  if (room <= 0) return long.length > 0 ? list.passOver() : undefined
  for (const [from, to] of long)
    addGrams(list, text, tokens, [from, to], Math.max(1, Math.floor((room * (to - from)) / words)), seed)
}
