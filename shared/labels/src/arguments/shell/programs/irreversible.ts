import { type Effects, does, raise } from '../../effects.js'
import { COMMAND_LABELS } from './commands.js'

const { DESTROY } = COMMAND_LABELS

/** A command that cannot be read before it runs may do anything, including deletion. */
export function opaque(effects: Effects, reason: string): void {
  raiseIrreversible('delete', reason, effects)
}

/** Records an act that cannot be taken back. */
export function raiseIrreversible(act: Parameters<typeof does>[1], reason: string, effects: Effects): void {
  raise(effects, DESTROY, reason)
  does(effects, act)
}
