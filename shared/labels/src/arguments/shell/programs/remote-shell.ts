import { longPattern } from '../../../text/data.js'
import { CAPABILITIES, CONFIDENTIALITIES } from '@plimsoll/contracts'
import { createEffects, does, raise, signal } from '../../effects.js'
import { actsOn, namesOfPath } from '../../objects.js'
import { type Call, type ShellContext, type Special, isOpen, operandsOf, readSender } from '../call.js'
import { COMMAND_LABELS } from './commands.js'

const WRITE = CAPABILITIES.indexOf('write')

/** The place of the host among the arguments of `ssh`; -1 if there is none. */
export const hostAt = (args: readonly string[]): number =>
  args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[i - 1] ?? ''))

/** Options that forward nothing, start nothing here and read no other settings. */
const PLAIN_OPTION = longPattern('remote-shell.PLAIN_OPTION')
const PLAIN_SETTING = longPattern('remote-shell.PLAIN_SETTING')
const HOST = longPattern('remote-shell.HOST')

/**
 * Reads `ssh`. Where all that runs on the other host only looks there, what leaves is the command line alone: `ssh web1 'tail -50 app.log'`. What it
 * reads comes here. Anything else may send anything.
 */
export const remoteShell: Special = (call, context) => {
  const text = lineFor(call)
  const own = createEffects()
  if (text !== undefined) context.nested(text, { ...context, effects: own })
  const isLook = text !== undefined && own.complete && own.capability < WRITE && own.reversibility === 0
  if (!isLook) return readSender(call, context)
  const confidentiality = CONFIDENTIALITIES[own.confidentiality]
  const labels = { ...COMMAND_LABELS.ASK, ...(confidentiality && { confidentiality }) }
  raise(context.effects, labels, 'a look at another host', true)
  signal(context.effects, 'outside', 1)
}

/** What runs on the other host, if all of it stands in the call and its options change nothing else. */
function lineFor(call: Call): string | undefined {
  const at = hostAt(call.args)
  if (at < 0 || isOpen(call) || call.piped || !HOST.test(call.args[at] ?? '')) return undefined
  const options = call.args.slice(0, at)
  const isPlain = options.every((arg, i) =>
    arg.startsWith('-')
      ? PLAIN_OPTION.test(arg) || arg === '-o'
      : options[i - 1] !== '-o' || PLAIN_SETTING.test(arg),
  )
  const words = call.args.slice(at + 1)
  if (!isPlain || (words.length > 0 && call.fed !== undefined)) return undefined
  return words.length > 0 ? words.join(' ') : call.fed
}

/** Lines and characters of a text of commands that are read. */
const LINES_MAX = 64
const TEXT_MAX = 16_384

const CLIENTS: ReadonlySet<string> = new Set(['sftp', 'ftp', 'lftp', 'tftp'])
/** Commands of such clients that take away what is on the other host. */
const TAKES = longPattern('remote-shell.TAKES')

/** Records what clients of file transfer take away on another host, by the commands that they are fed or given: `sftp host <<EOF … rm *.csv`. */
export function noteTransferred(call: Call, { effects }: ShellContext): void {
  if (!CLIENTS.has(call.name)) return
  const given = call.args.filter((_, i) => /^(?:-e|-c)$/.test(call.args[i - 1] ?? ''))
  const text = [call.fed ?? '', ...given].join('\n').slice(0, TEXT_MAX)
  const host = (operandsOf(call)[0] ?? '').split('@').at(-1)?.split(':')[0] ?? ''
  for (const line of text.split(/[\n;]/).slice(0, LINES_MAX)) {
    const [, path] = TAKES.exec(line) ?? []
    if (path === undefined) continue
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'files of another host are deleted',
    )
    does(effects, 'delete')
    actsOn(effects, 'delete', {
      kind: 'path',
      reach: 'live',
      names: namesOfPath(path.trim()),
      thing: `${host}:${path.trim()}`,
    })
  }
}
