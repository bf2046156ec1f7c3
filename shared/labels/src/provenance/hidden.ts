import { createTokenScanner, type Tokens } from '../text/tokens.js'
import { CANDIDATES_MAX, createCandidates, TIERS, type Candidates, type Tier } from './candidates.js'
import { encodedTexts } from './encodings.js'
import type { FingerprintList } from './fingerprint-list.js'
import { marksOf, type Marks } from './marks.js'
import { findParts } from './parts.js'
import { findSpelled } from './spelled.js'
import { foldText, unwrapText } from './unwrap.js'
import { findValues } from './values.js'

/** Encodings within encodings that are undone; what lies deeper is not known. */
const DEPTH_MAX = 3
/** What is decoded of one text, code units for each of its own, and beyond that; more is not known. */
const DECODED_SHARE = 2
const DECODED_UNITS_MIN = 4_096
/** A decoded text as short as this may be a value as a whole. */
const WHOLE_TOKENS_MAX = 6

const TIERS_OF_DECODED: readonly Tier[] = [TIERS.target, TIERS.id, TIERS.name, TIERS.weak]
/** Of a text in which little changes: the names in it were read as they stand. */
const TIERS_OF_PLAIN: readonly Tier[] = [TIERS.target, TIERS.id]

/** Another form of a text, or a text that stood encoded in it. */
interface Hidden {
  readonly text: string
  readonly depth: number
  readonly isDecoded: boolean
  readonly tiers: readonly Tier[]
}

/** What a text holds in other forms than it is written in. */
export interface HiddenForms {
  /** Its own parts and pieces; they are ranges of the text itself. */
  readonly parts: Candidates
  /** Texts that it holds, in order: unwrapped, decoded, decoded within these. */
  readonly texts: readonly Hidden[]
  /** Whether all that it holds was read. */
  readonly isWhole: boolean
  /** Units of the longest run that looks encoded and is no text; 0 where none is. */
  readonly unknown: number
}

const parts = createCandidates()
const values = createCandidates()
const partsOfHidden = createCandidates()
const scanHidden = createTokenScanner()

/** Looks for other forms of `text`: time linear in it, whatever it holds. Good until the next call. */
export function hiddenForms(text: string, tokens: Tokens): HiddenForms {
  parts.clear()
  const marks = marksOf(tokens)
  const areParts = findParts(tokens, marks, parts)
  let isWhole = findSpelled(text, tokens, marks, parts) && areParts
  let room = DECODED_SHARE * text.length + DECODED_UNITS_MIN
  const texts: Hidden[] = []
  // Made where it is needed: most texts hide nothing, and to know a text again all of it is read.
  let met: Set<string> | undefined

  function note(found: string, depth: number, isDecoded: boolean, isDense = true): void {
    if (found === '' || met?.has(found)) return
    if (depth > DEPTH_MAX || found.length > room) return void (isWhole = false)
    room -= found.length
    met ??= new Set([text])
    met.add(found)
    texts.push({ text: found, depth, isDecoded, tiers: isDense ? TIERS_OF_DECODED : TIERS_OF_PLAIN })
  }

  let unknown = 0
  function open(from: string, fromTokens: Tokens, fromMarks: Marks, depth: number): void {
    const encoded = encodedTexts(from, fromTokens, fromMarks)
    unknown = Math.max(unknown, encoded.unknown)
    for (const plain of [unwrapText(from), foldText(from)]) note(plain.text, depth, false, plain.isDense)
    for (const each of encoded.texts) note(each, depth, true)
  }

  open(text, tokens, marks, 1)
  for (let at = 0; at < texts.length; at++) {
    const hidden = texts[at]
    if (!hidden) break
    const hiddenTokens = scanHidden(hidden.text)
    open(hidden.text, hiddenTokens, marksOf(hiddenTokens), hidden.depth + 1)
  }
  return { parts, texts, isWhole, unknown }
}

/** Adds the values of the hidden texts until the list has `limit`; where they find no room the list says so. */
export function addHidden(list: FingerprintList, { texts }: HiddenForms, limit: number): void {
  for (const { text, isDecoded, tiers } of texts) {
    const tokens = scanHidden(text)
    values.clear()
    partsOfHidden.clear()
    findValues(text, tokens, 0, tokens.count, values)
    const marks = marksOf(tokens)
    const areParts = findParts(tokens, marks, partsOfHidden)
    const isSpelled = findSpelled(text, tokens, marks, partsOfHidden)
    for (const tier of tiers) list.addTier(text, values, tier, limit)
    if (isDecoded && tokens.count <= WHOLE_TOKENS_MAX && list.size < limit)
      list.add('n', text, 0, text.length)
    list.addTier(text, partsOfHidden, TIERS.variant, limit)
    if (!areParts || !isSpelled || list.size >= limit || values.count >= CANDIDATES_MAX)
      return list.passOver()
  }
}
