import type { Act } from '@plimsoll/contracts'
import { type Words, wordsIn } from '../text/data.js'

/** What these words order or forbid: finer than the acts of steps, as who stops something deletes nothing. */
export const KINDS = [
  'delete',
  'stop',
  'overwrite',
  'pay',
  'publish',
  'deploy',
  'restart',
  'send',
  'grant',
] as const
export type OrderedKind = (typeof KINDS)[number]

/** The act of a step that an order of a kind asks for. */
export const ACT_OF_ORDER: Readonly<Record<OrderedKind, Act>> = {
  delete: 'delete',
  stop: 'delete',
  overwrite: 'overwrite',
  pay: 'pay',
  publish: 'publish',
  deploy: 'publish',
  restart: 'publish',
  send: 'send',
  grant: 'grant',
}

/** What a sentence forbids: kinds, none for any change, and the words of what they would be done to. */
export interface OtherProhibition {
  readonly kinds: readonly OrderedKind[]
  readonly object: string
}

/** The kinds of each word of a table. */
export function kindsByWord(
  table: Readonly<Partial<Record<OrderedKind, Words>>>,
): Map<string, OrderedKind[]> {
  const kinds = new Map<string, OrderedKind[]>()
  for (const kind of KINDS)
    for (const word of wordsIn(table[kind] ?? [])) kinds.set(word, [...(kinds.get(word) ?? []), kind])
  return kinds
}
