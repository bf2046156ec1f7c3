/**
 * What a word or a token can be in a sentence that tells somebody to do something. A word may be several at once. The order is part of
 * a fitted model; a class is only ever added at the end, and there is room for 32.
 */
export const CLASSES = [
  'send',
  'change',
  'fetch',
  'say',
  'run',
  'courtesy',
  'override',
  'prior',
  'directive',
  'model',
  'user',
  'task',
  'tool',
  'order',
  'urgent',
  'authority',
  'hide',
  'not',
  'you',
  'me',
  'must',
  'asset',
  'all',
  'obey',
  'place',
  'number',
  'name',
  'identifier',
  'narrating',
  'others',
  'social',
  'craft',
] as const
export type WordClass = (typeof CLASSES)[number]
export const CLASS_COUNT = CLASSES.length

/** Bit of a class in the mask of a word. */
export const bitOf = (...classes: readonly WordClass[]): number =>
  classes.reduce((mask, name) => mask | (1 << CLASSES.indexOf(name)), 0)
