import type { Capability, Reversibility } from '@plimsoll/contracts'
import { readByWord, readSet } from '../../text/data.js'

/** What kind of thing a tool does, as its verb says. */
export const ACTIONS = {
  /** Works on what it is given: nothing is read. */
  think: { capability: 'read', reversibility: 'reversible' },
  look: { capability: 'read', reversibility: 'reversible' },
  /** Goes out and brings something back. */
  browse: { capability: 'network', reversibility: 'reversible' },
  /** Changes what can be changed back at once. */
  flip: { capability: 'write', reversibility: 'reversible' },
  change: { capability: 'write', reversibility: 'partial' },
  destroy: { capability: 'write', reversibility: 'irreversible' },
  run: { capability: 'execute', reversibility: 'partial' },
  /** Reaches others, and can be called back. */
  tell: { capability: 'network', reversibility: 'partial' },
  /** Reaches others, and is gone. */
  send: { capability: 'network', reversibility: 'irreversible' },
} as const satisfies Record<string, { capability: Capability; reversibility: Reversibility }>
export type Action = keyof typeof ACTIONS

/** From the mildest to the worst: of several verbs of a name the worst counts. */
export const SEVERITY: readonly Action[] = [
  'think',
  'look',
  'browse',
  'flip',
  'change',
  'tell',
  'run',
  'destroy',
  'send',
]

/**
 * Verbs that name things as often as they say what is done: `list_orders`, `get_commit`. They are verbs where they come first, or behind `and`
 * or `or`.
 */
const NOUNS = readSet('tools', 'nouns')

/** Whether a word may be a thing rather than what is done. */
export const isNoun = (word: string): boolean => NOUNS.has(word)

const ACTION_OF = readByWord<Action>('tools', 'verbs')

export const actionOfVerb = (word: string): Action | undefined => ACTION_OF.get(word)
