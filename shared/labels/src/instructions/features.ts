import { readTable, wordsIn } from '../text/data.js'

/**
 * What a word or a token can be in a sentence that tells somebody to do something. A word may be several at once. The order is part of
 * a fitted model; a class is only ever added at the end, and there is room for 32.
 */
export const CLASSES = wordsIn(readTable('instructions', 'classes'))
export const CLASS_COUNT = CLASSES.length

/** @throws Error where `names` has no such name: a typing error in a table must not become another feature */
export function numberIn(names: readonly string[], name: string): number {
  const number = names.indexOf(name)
  if (number < 0) throw new Error(`unknown feature \`${name}\``)
  return number
}

/** Bit of a class in the mask of a word. */
export const bitOf = (...classes: readonly string[]): number =>
  classes.reduce((mask, name) => mask | (1 << numberIn(CLASSES, name)), 0)

/**
 * The features of a segment, all of them there or not, by number. A class of words counts by itself, as the word the segment begins
 * with (after a prefix such as `NOTE:` and after `please`), inside that prefix, beside a verb at the beginning, and in pairs: which
 * class comes within five words before which.
 */
export const PRESENCE = 0
export const LEAD = PRESENCE + CLASS_COUNT
export const PREFIX = LEAD + CLASS_COUNT
export const COMMANDED = PREFIX + CLASS_COUNT
export const SURFACE = COMMANDED + CLASS_COUNT
export const PAIR = SURFACE + 32
export const FEATURE_COUNT = PAIR + CLASS_COUNT * CLASS_COUNT

/** Classes that make pairs; the others are too common to say anything side by side. */
export const PAIRING = ~bitOf('narrating', 'others', 'name', 'social', 'craft')

/** What the surface of a segment shows, by bit. */
export const SURFACE_FEATURES = wordsIn(readTable('instructions', 'surface'))
export const surfaceBit = (mark: string): number => 1 << numberIn(SURFACE_FEATURES, mark)

/** Verbs that an agent with tools can carry out. */
export const ACTS = bitOf('send', 'change', 'fetch', 'say', 'run')
/** What may stand before the verb of a request. */
export const BEFORE_VERB = bitOf('courtesy', 'order', 'urgent')

/** Writes `base` plus the number of each bit of `mask` to `features` from `at` on; returns the place behind the last. */
export function pushBits(features: Int32Array, at: number, base: number, mask: number): number {
  while (mask !== 0) {
    const bit = 31 - Math.clz32(mask)
    features[at++] = base + bit
    mask &= ~(1 << bit)
  }
  return at
}
