import { longPattern } from '../../../text/data.js'
import { CAPABILITIES, CONFIDENTIALITIES } from '@plimsoll/contracts'
import { createEffects, raise, signal } from '../../effects.js'
import { type Call, type Special, isOpen, readSender } from '../call.js'
import { COMMAND_LABELS } from './commands.js'

const WRITE = CAPABILITIES.indexOf('write')

/** The place of the host among the arguments of `ssh`; -1 if there is none. */
export const hostAt = (args: readonly string[]): number =>
  args.findIndex((arg, i) => !arg.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(args[i - 1] ?? ''))

/** Options that forward nothing, start nothing here and read no other settings. */
const PLAIN_OPTION = /^-(?:[qtTnx46Cv]{1,4}|[pli])$/
const PLAIN_SETTING = longPattern('remote-shell.PLAIN_SETTING')
const HOST = /^(?:[\w.-]{1,64}@)?[\w.-]{1,253}$/

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
