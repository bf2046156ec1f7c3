import { raise, signal } from '../effects.js'
import { placeOf, PLACES, type Place } from '../web.js'
import { isOpen, operandsOf, type Call, type ShellContext } from './call.js'
import { COMMAND_LABELS } from './commands.js'

const { ASK, SEND } = COMMAND_LABELS

/** Where a host goes that stands alone in an argument. What is no host that can be read is outside. */
export function placeOfHost(host: string, { organisation }: ShellContext): Place {
  if (host === '' || /[\s{}*?$`\\]/.test(host)) return 'outside'
  return placeOf(host, organisation) ?? 'outside'
}

export const farther = (a: Place | undefined, b: Place): Place =>
  a !== undefined && PLACES.indexOf(a) > PLACES.indexOf(b) ? a : b

/** Marks a step that reaches a host outside, or one that nobody can tell. */
export function reach(place: Place, { effects }: ShellContext): void {
  if (place === 'outside') signal(effects, 'outside', 1)
}

/** A name that is looked up can carry something out, as can an address that is pinged: whole where its words stand in the arguments. */
export function readLookup(call: Call, context: ShellContext): void {
  const { effects } = context
  const places = operandsOf(call).map((host) => placeOfHost(host.replace(/^@/, ''), context))
  reach(isOpen(call) ? 'outside' : places.reduce<Place>(farther, 'local'), context)
  if (isOpen(call))
    return raise(
      effects,
      { ...ASK, reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  raise(effects, ASK, 'a name or an address is looked up', !LOADS.test(call.args.join(' ')))
}

/** A list of names from a file, a header or a body. */
const LOADS = /(?:^| )(?:-f|-[a-zA-Z]*p|-post_data|-cfg|-cmd_script|--filename)/

/** Commands that send something anywhere: what they are fed and their files are not in their arguments. */
export function readSender(_: Call, context: ShellContext): void {
  raise(context.effects, SEND, 'a command that can send anything anywhere')
  signal(context.effects, 'outside', 1)
}

/** `openssl s_client -connect host:443`, `redis-cli -h host`: a client of another host, where it names one that is not this machine. */
export function readConnection(call: Call, context: ShellContext): void {
  if (call.name === 'openssl' && !/^s_(?:client|time)$|^ocsp$|^ts$/.test(call.args[0] ?? '')) return
  const at = call.args.findIndex((arg) => /^(?:-h|-u|--host|-connect|-url|-proxy)$/.test(arg))
  const host = at < 0 ? call.args.find((arg) => /[:@/]/.test(arg)) : (call.args[at + 1] ?? '')
  if (host === undefined && call.name !== 'openssl') return
  if (isOpen(call) || placeOfHost(host ?? '', context) !== 'local') readSender(call, context)
}
