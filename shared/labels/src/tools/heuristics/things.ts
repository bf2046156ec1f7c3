import type { Confidentiality } from '@plimsoll/contracts'
import { type Words, readTable, wordsIn } from '../../text/data.js'

/** A kind of object that tools work on. */
export interface Thing {
  readonly kind: string
  /** Words and phrases, singular. */
  readonly words: readonly string[]
  /** Confidentiality of the content; absent means none. */
  readonly confidentiality?: Confidentiality
  /** Others write it, so reading it returns untrusted text. */
  readonly byOthers?: true
  /** The user wrote it, whatever else the name mentions. */
  readonly byOneself?: true
  /** Computed, measured or configured by the tool's operator; others cannot write into it. */
  readonly ours?: true
  /** Changing it affects other people or systems. */
  readonly remote?: true
  readonly tags?: readonly string[]
}

/** The kinds, in order: the first match in a name decides its confidentiality. */
export const THINGS: readonly Thing[] = readTable<readonly (Omit<Thing, 'words'> & { words: Words })[]>(
  'tools',
  'things',
).map(({ words, ...thing }) => ({
  ...thing,
  words: wordsIn(words).map((word) => word.replaceAll('+', ' ')),
}))

/** The kinds that match `words`, in table order. */
export function thingsIn(words: readonly string[]): readonly Thing[] {
  const text = ` ${words.join(' ')} `
  return THINGS.filter(({ words }) => words.some((word) => text.includes(` ${word} `)))
}
