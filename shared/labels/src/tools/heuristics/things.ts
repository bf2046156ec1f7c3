import type { Confidentiality } from '@plimsoll/contracts'
import { type Words, readTable, wordsIn } from '../../text/data.js'

/** A kind of thing that tools are about. */
export interface Thing {
  readonly kind: string
  /** Words and phrases, in the singular. */
  readonly words: readonly string[]
  /** Of what reading it returns; left out: nothing of note. */
  readonly confidentiality?: Confidentiality
  /** Others write it, so reading it returns their text. */
  readonly byOthers?: true
  /** The user wrote it, whatever else the name speaks of. */
  readonly byOneself?: true
  /** It is computed, measured or set up by those whose tool it is: nobody else writes into it. */
  readonly ours?: true
  /** Changing it reaches others. */
  readonly remote?: true
  readonly tags?: readonly string[]
}

/** The kinds of things; where a name holds several, the first that matches tells how confidential it is. */
export const THINGS: readonly Thing[] = readTable<readonly (Omit<Thing, 'words'> & { words: Words })[]>(
  'tools',
  'things',
).map(({ words, ...thing }) => ({
  ...thing,
  words: wordsIn(words).map((word) => word.replaceAll('+', ' ')),
}))

/** The kinds that `words` speak of, in the order of the table. */
export function thingsIn(words: readonly string[]): readonly Thing[] {
  const text = ` ${words.join(' ')} `
  return THINGS.filter(({ words }) => words.some((word) => text.includes(` ${word} `)))
}
