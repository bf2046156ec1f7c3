import { longPattern } from '../../../text/data.js'
import { raise, signal } from '../../effects.js'
import { inwardName } from '../../../acts/named-places.js'
import { actsOn, namesOfPath, wordsIn } from '../../objects.js'
import { type Call, type ShellContext, type Special, hasOption, isOpen, operandsOf } from '../call.js'
import { ownNames } from '../own-folders.js'
import { COMMAND_LABELS } from './commands.js'
import { deletes } from './deletions.js'

const { EXECUTE, WRITE, SEND } = COMMAND_LABELS

/** Records what `rsync --delete` takes away: whatever is only where it copies to. */
function noteMirrored(call: Call, effects: ShellContext['effects']): void {
  deletes('`rsync` that deletes', effects)
  const [, host = '', path = ''] = /^(?:([\w.@-]{1,253})::?)?(.*)$/s.exec(operandsOf(call).at(-1) ?? '') ?? []
  const name = host.split('@').at(-1) ?? ''
  if (isOpen(call) || path === '') return
  actsOn(effects, 'delete', {
    kind: 'path',
    ...(host !== '' && { reach: 'live' }),
    names: [
      ...(isInward(call) ? wordsIn(path).map(inwardName) : namesOfPath(path)),
      ...(name === '' ? [] : [name, `${name}:${path.replace(/\/$/, '')}`, `${name}:${path}`]),
    ],
    own: host === '' ? ownNames(path, effects) : [],
    thing: host === '' ? path : `${name}:${path}`,
  })
}

/** Whether a folder of this machine becomes what is on a stick, a mount or another host. */
function isInward(call: Call): boolean {
  const operands = operandsOf(call)
  return !OUTSIDE.test(operands.at(-1) ?? '') && operands.slice(0, -1).some((source) => OUTSIDE.test(source))
}
const OUTSIDE = longPattern('rsync.OUTSIDE')

/** Reads `rsync`. */
export const rsync: Special = (call, { effects }) => {
  const remote = isOpen(call) || operandsOf(call).some((operand) => /^[^/]*:/.test(operand))
  raise(effects, remote ? SEND : WRITE, remote ? '`rsync` with another host' : '`rsync` on this machine')
  if (remote) signal(effects, 'outside', 1)
  else signal(effects, 'code', 1)
  if (hasOption(call, 'n', '--dry-run')) return
  if (call.args.some((arg) => arg.startsWith('--del') || arg === '--remove-source-files'))
    noteMirrored(call, effects)
  if (hasOption(call, 'eM', '--rsh', '--rsync-path', '--remote-option')) raise(effects, EXECUTE)
}
