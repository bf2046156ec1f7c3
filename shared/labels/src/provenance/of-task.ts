import { FINGERPRINTS_MAX, type Fingerprint } from '@plimsoll/contracts'
import type { Tokens } from '../text/tokens.js'
import { createCandidates, TIERS } from './candidates.js'
import type { FingerprintList } from './fingerprint-list.js'
import { addGrams } from './grams.js'
import { marksOf } from './marks.js'
import { findParts } from './parts.js'
import { findValues } from './values.js'
import { addFullWords, addWords } from './words.js'

/** Values of a task before its words, which are to find room. */
const VALUES_MAX = 72

/** What stands inside of its values: a step that names it in another form does as it was asked. */
const PARTS_MAX = 16

const candidates = createCandidates()
const parts = createCandidates()

/** Of a task: its values, its words, and what room is left for stretches and full forms. */
export function taskFingerprints(
  list: FingerprintList,
  seed: number,
  text: string,
  tokens: Tokens,
): Fingerprint[] {
  const all = [0, tokens.count] as const
  candidates.clear()
  findValues(text, tokens, 0, tokens.count, candidates)
  for (const tier of [TIERS.target, TIERS.id, TIERS.name, TIERS.weak])
    list.addTier(text, candidates, tier, VALUES_MAX)
  addParts(list, text, tokens)
  addWords(list, text, tokens, all, FINGERPRINTS_MAX)
  list.addTier(text, candidates, TIERS.part, FINGERPRINTS_MAX)
  addFullWords(list, text, tokens, all, FINGERPRINTS_MAX)
  addGrams(list, text, tokens, all, FINGERPRINTS_MAX - list.size, seed)
  return list.take()
}

function addParts(list: FingerprintList, text: string, tokens: Tokens): void {
  parts.clear()
  findParts(tokens, marksOf(tokens), parts)
  list.addTier(text, parts, TIERS.variant, list.size + PARTS_MAX)
}
