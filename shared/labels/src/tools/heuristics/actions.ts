import type { Capability, Reversibility } from '@plimsoll/contracts'
import { readByWord, readSet } from '../../text/data.js'

/** Actions that verbs stand for, with their labels. */
export const ACTIONS = {
  /** Computes on its arguments; reads nothing. */
  think: { capability: 'read', reversibility: 'reversible' },
  look: { capability: 'read', reversibility: 'reversible' },
  /** Fetches something from the network. */
  browse: { capability: 'network', reversibility: 'reversible' },
  /** A change that can be undone at once. */
  flip: { capability: 'write', reversibility: 'reversible' },
  change: { capability: 'write', reversibility: 'partial' },
  destroy: { capability: 'write', reversibility: 'irreversible' },
  run: { capability: 'execute', reversibility: 'partial' },
  /** Reaches others; can be recalled. */
  tell: { capability: 'network', reversibility: 'partial' },
  /** Reaches others; cannot be recalled. */
  send: { capability: 'network', reversibility: 'irreversible' },
} as const satisfies Record<string, { capability: Capability; reversibility: Reversibility }>
export type Action = keyof typeof ACTIONS

/** Mildest first. If a name has several verbs, the worst counts. */
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

/** Verbs that are as often nouns: `list_orders`, `get_commit`. They count as verbs only at the start, or after `and` or `or`. */
const NOUNS = readSet('tools', 'nouns')

/** Whether a verb may also be a noun. */
export const isNoun = (word: string): boolean => NOUNS.has(word)

const ACTION_OF = readByWord<Action>('tools', 'verbs')

export const actionOfVerb = (word: string): Action | undefined => ACTION_OF.get(word)
