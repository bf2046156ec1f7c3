import { raise } from '../effects.js'
import type { ShellContext } from './call.js'
import { COMMAND_LABELS } from './commands.js'

/** A text that the shell may work out as arithmetic: a substitution in it runs, quoted or not. */
export function readSubscript(text: string, context: ShellContext): void {
  if (!/\$\(|`/.test(text)) return
  raise(context.effects, COMMAND_LABELS.EXECUTE, 'a subscript that runs commands')
  context.nested(`: ${text.replace(/^[^$`]*/, '')}`, context)
}
