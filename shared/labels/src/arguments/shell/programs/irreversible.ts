import type { Act, Capability } from '@plimsoll/contracts'
import { type Effects, does, raise } from '../../effects.js'

/** Records an act that cannot be taken back. */
export function raiseIrreversible(
  act: Act,
  reason: string,
  effects: Effects,
  capability: Capability = 'execute',
): void {
  raise(effects, { capability, reversibility: 'irreversible' }, reason)
  does(effects, act)
}

/** A command that cannot be read before it runs may do anything, including deletion. */
export function opaque(effects: Effects, reason: string): void {
  raiseIrreversible('delete', reason, effects)
}
