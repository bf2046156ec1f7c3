import { readTable, wordsIn } from '../text/data.js'

/**
 * Word classes of sentences that give orders. A word may have several. The order is part of a fitted model: only append classes, 32 at most.
 */
export const CLASSES = wordsIn(readTable('instructions', 'classes'))
export const CLASS_COUNT = CLASSES.length

/** @throws Error if `names` lacks the name, so that a typo in a table cannot create another feature */
export function numberIn(names: readonly string[], name: string): number {
  const number = names.indexOf(name)
  if (number < 0) throw new Error(`unknown feature \`${name}\``)
  return number
}

/** The bits of classes in a word's mask. */
export const bitOf = (...classes: readonly string[]): number =>
  classes.reduce((mask, name) => mask | (1 << numberIn(CLASSES, name)), 0)

/**
 * Features of a segment, all boolean, by number. A word class counts by itself, as the first word (after a prefix such as `NOTE:` and after
 * `please`), inside that prefix, and next to a verb at the beginning. Pairs count two classes within five words, in order.
 */
export const PRESENCE = 0
export const LEAD = PRESENCE + CLASS_COUNT
export const PREFIX = LEAD + CLASS_COUNT
export const COMMANDED = PREFIX + CLASS_COUNT
export const SURFACE = COMMANDED + CLASS_COUNT
export const PAIR = SURFACE + 32
export const FEATURE_COUNT = PAIR + CLASS_COUNT * CLASS_COUNT

/** Classes that form pairs; the others are too common. */
export const PAIRING = ~bitOf('narrating', 'others', 'name', 'social', 'craft')

/** Surface features of a segment, by bit. */
export const SURFACE_FEATURES = wordsIn(readTable('instructions', 'surface'))
export const surfaceBit = (mark: string): number => 1 << numberIn(SURFACE_FEATURES, mark)

/** Verbs that an agent can carry out with tools. */
export const ACTS = bitOf('send', 'change', 'fetch', 'say', 'run')
/** Words that may come before the verb of a request. */
export const BEFORE_VERB = bitOf('courtesy', 'order', 'urgent')

/** Writes `base` plus the number of each bit of `mask` to `features` from `at` on. Returns the index after the last. */
export function pushBits(features: Int32Array, at: number, base: number, mask: number): number {
  while (mask !== 0) {
    const bit = 31 - Math.clz32(mask)
    features[at++] = base + bit
    mask &= ~(1 << bit)
  }
  return at
}
