import { raise, signal } from '../effects.js'
import { pathKindOf } from '../paths.js'
import { placeOf, PLACES, readRequest, readUrl, type Place } from '../web.js'
import type { Call, ShellContext } from './call.js'

/** Options that send something, whichever of the two programs has them. */
const DATA =
  /^(-d|-F|-T|--data(-.*)?|--form(-string)?|--upload-file|--json|--post-(data|file)|--body-(data|file)|--url-query|--mail-.*)(=|$)/
const METHOD = /^(-X|--request|--method)(=|$)/
/** Options that take the next word: a file to write, and anything else. */
const OUTPUT = {
  curl: /^(-o|-c|-D|--output|--output-dir|--cookie-jar|--dump-header)$/,
  wget: /^(-O|-o|-a|-P|--output-document|--output-file|--directory-prefix)$/,
}
const VALUED =
  /^(-H|--header|-A|--user-agent|-U|-e|--referer|-m|--max-time|--connect-timeout|--retry|-w|--write-out|-u|--user|-b|--cookie|-x|--proxy|-t|--tries|--timeout|--cacert|--cert|--key|-r|--range|--resolve|-E|--limit-rate|--max-redirs)$/
/** Who logs in sees what others do not; the log-in itself is no data that is read. */
const LOGIN = /^(-u|--user|--password|--cert|--key|-E)(=|$)/
/** Options that take their words from a file: nobody knows what they say. */
const FROM_FILE = /^(-K|--config|--input-file|--netrc(-file)?)(=|$)/

/** curl and wget: the method, what is sent, and whither; a word that only the run decides may carry anything out. */
export function readFetch(call: Call, context: ShellContext): void {
  const { effects, organisation } = context
  const output = call.name === 'wget' ? OUTPUT.wget : OUTPUT.curl
  let method = 'GET'
  let worst: Place | undefined
  let open = false
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = optionOf(call.args[i] ?? '', call.name)
    const next = call.args[i + 1] ?? ''
    open ||= call.open[i] === true || FROM_FILE.test(arg)
    if (DATA.test(arg) && !(call.name === 'wget' && arg === '-T')) {
      method = method === 'GET' ? 'POST' : method
      readData(arg.includes('=') ? arg.slice(arg.indexOf('=') + 1) : next, arg, context)
    } else if (METHOD.test(arg)) method = methodOf(arg, next)
    else if (output.test(arg)) readOutput(next, context)
    else if (arg.startsWith('--output')) readOutput(arg.slice(arg.indexOf('=') + 1), context)
    if (LOGIN.test(arg)) raise(effects, { confidentiality: 'internal' }, 'a request that logs in')
    if (takesNext(arg, output)) {
      open ||= call.open[i + 1] === true
      i += 1
    } else if (!arg.startsWith('-')) {
      worst = farther(worst, placeOf(arg, organisation) ?? 'outside')
      readUrl(arg, effects)
    }
  }
  readRequest(method, worst ?? 'outside', effects)
  if (open)
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  if (worst === 'outside') signal(effects, 'outside', 1)
}

/** The option of `-sSXPOST` or `-fsSLo` that matters: the first of its letters that takes a value, with the value if it is attached. */
function optionOf(arg: string, name: string): string {
  if (!/^-[a-zA-Z]./.test(arg)) return arg
  const valued = name === 'wget' ? 'OoaPUetT' : 'dFTXocDHAemwubxKrE'
  for (let i = 1; i < arg.length && i < 16; i += 1) {
    const letter = arg.charAt(i)
    if (!valued.includes(letter)) continue
    const rest = arg.slice(i + 1)
    return rest === ''
      ? `-${letter}`
      : `${letter === 'o' || letter === 'O' ? '--output' : `-${letter}`}=${rest}`
  }
  return arg
}

const takesNext = (arg: string, output: RegExp): boolean =>
  !arg.includes('=') && (VALUED.test(arg) || METHOD.test(arg) || output.test(arg) || DATA.test(arg))

function methodOf(arg: string, next: string): string {
  const equals = arg.indexOf('=')
  return (equals > 0 ? arg.slice(equals + 1) : next) || 'POST'
}

/** Data from a file is a file read. */
function readData(value: string, option: string, { effects }: ShellContext): void {
  if (!DATA.test(option)) return
  const at = value.indexOf('@')
  const file = option === '-T' || option.includes('file') ? value : at >= 0 ? value.slice(at + 1) : undefined
  if (file !== undefined && file !== '') raise(effects, pathKindOf(file).reads, 'a request that sends a file')
}

function readOutput(path: string, { effects }: ShellContext): void {
  raise(effects, pathKindOf(path.includes('://') ? '.' : path).writes, 'a download is kept')
}

const farther = (a: Place | undefined, b: Place): Place =>
  a !== undefined && PLACES.indexOf(a) > PLACES.indexOf(b) ? a : b
