import type { Act, Capability } from '@plimsoll/contracts'
import { type Effects, does, raise } from '../../effects.js'

/** Records an act that cannot be taken back. What is taken away or replaced goes nowhere: whether all that leaves is known stays as it is. */
export function raiseIrreversible(
  act: Act,
  reason: string,
  effects: Effects,
  capability: Capability = 'execute',
): void {
  raise(
    effects,
    { capability, reversibility: 'irreversible' },
    reason,
    act === 'delete' || act === 'overwrite',
  )
  does(effects, act)
}

/** A command that cannot be read before it runs may do anything, including deletion. */
export function opaque(effects: Effects, reason: string): void {
  raise(effects, { capability: 'execute', reversibility: 'irreversible' }, reason)
  does(effects, 'delete')
}
