import { actsOn, wordsIn } from '../../objects.js'
import { type ShellContext, placeOfHost } from '../call.js'
import { raiseIrreversible } from './irreversible.js'

/** Records that what a command is fed or prints goes to a host that is not of the organisation: a task that names the host asks for it. */
export function noteSent(host: string, context: ShellContext): void {
  if (host === '' || placeOfHost(host, context) !== 'outside') return
  raiseIrreversible('send', 'what a command is fed goes to another host', context.effects)
  actsOn(context.effects, 'send', { kind: 'host', byName: true, names: [host, ...wordsIn(host)] })
}
