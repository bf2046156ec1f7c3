import type { ClaimedLabels } from '@plimsoll/contracts'
import { raise, signal, type Effects } from './effects.js'

/** What a text that cannot be read counts as: it may send anything anywhere. */
const WORST: ClaimedLabels = {
  capability: 'network',
  confidentiality: 'internal',
  trust: 'untrusted',
  reversibility: 'irreversible',
}

export function unreadable(effects: Effects, reason: string): void {
  raise(effects, WORST, reason)
  effects.complete = false
  signal(effects, 'unreadable', 1)
}
