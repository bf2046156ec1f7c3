import { type Effects, raise, signal, type Place } from '../../effects.js'
import { pathKindOf } from '../../paths.js'
import { readRequest, readUrl } from '../../web.js'
import { fetchesInstaller } from '../../runs-later.js'
import { noteFetched } from '../../scripts.js'
import { noteWritten } from '../../written-code.js'
import { type Call, type ShellContext, farther, placeOfHost } from '../call.js'
import { oneByProgram } from './command-table.js'
import { COMMAND_LABELS } from './commands.js'
import { fedBody, noteClientRequest } from './http-clients.js'
import { type Words, byWord, longPattern } from '../../../text/data.js'

/** The effect of a curl or wget option. */
type Effect =
  'flag' | 'value' | 'method' | 'data' | 'file' | 'output' | 'redirect' | 'url' | 'login' | 'reference'

/** `file`: the sent data is in a file; `reference`: parts of the request are; `redirect`: the request goes elsewhere than its URL says. */
const OPTIONS = oneByProgram<Readonly<Record<Effect, Words>>>('options')
const [CURL, WGET] = [optionsOf('curl'), optionsOf('wget')]

function optionsOf(program: string): ReadonlyMap<string, Effect> {
  const words = Object.entries(OPTIONS.get(program) ?? {}) as [Effect, Words][]
  return byWord(words.map(([effect, options]) => [options, effect]))
}

interface Request {
  method: string
  place: Place | undefined
  /** Whether some of what is sent is not in the arguments, or not known. */
  hidden: boolean
  /** Whether where it goes is known only at run time. */
  hiddenTarget: boolean
  /** Whether the response is saved under a name from the URL or the host. */
  named: boolean
  readonly urls: string[]
  /** What it sends as text. */
  readonly body: string[]
  /** Whether it sends its query in the URL, whatever it is given. */
  asks: boolean
  uploads: boolean
}

/** Reads curl and wget: method, sent data and place. A word known only at run time may carry anything out. */
export function readFetch(call: Call, context: ShellContext): void {
  const { effects } = context
  const isWget = call.name === 'wget'
  const request: Request = {
    method: 'GET',
    place: undefined,
    hidden: false,
    hiddenTarget: false,
    named: isWget,
    urls: [],
    body: [],
    asks: !isWget && call.args.some((arg) => /^(?:-[a-zA-Z]*G|--get)$/.test(arg)),
    uploads: false,
  }
  const known = isWget ? WGET : CURL
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = call.args[i] ?? ''
    request.hidden ||= call.open[i] === true
    request.hiddenTarget ||= call.open[i] === true
    if (!arg.startsWith('-') || arg === '-') readTarget(arg, request, context)
    else if (readOption(arg, call.args[i + 1], known, request, context)) {
      i += 1
      request.hidden ||= call.open[i] === true
    }
  }
  const { method, urls, place = 'outside' } = request
  readRequest({ method, urls, place }, effects)
  const { uploads } = request
  const body = request.body.map((text) => (OF_INPUT.test(text) ? fedBody(call, context) : text)).join('\n')
  if (!request.asks) noteClientRequest({ method, urls, body, uploads }, context)
  // What a server on this machine is given stays here.
  if (request.hidden && (request.place !== 'local' || request.hiddenTarget))
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  if (request.place !== 'local' && request.place !== 'inside') signal(effects, 'outside', 1)
  if (request.named) noteDownloads(call, effects)
  if (request.place === 'outside' && !request.urls.every((url) => fetchesInstaller(url)))
    for (const path of savedBy(call)) noteFetched(path, effects)
}

/** Data that is what the program is fed. */
const OF_INPUT = /^@?-$/

/** The files that a request is saved to, by options and by the last part of its URLs. */
function savedBy({ args }: Call): string[] {
  const isLast = args.some((arg) => /^-[a-zA-Z]*O$|^--remote-name/.test(arg))
  return args.flatMap((arg, i) => {
    if (SAVES.test(arg) && !args[i + 1]?.includes('://')) return [args[i + 1] ?? '']
    const [, attached] = /^--(?:output|output-document)=(.+)$/.exec(arg) ?? []
    return attached !== undefined
      ? [attached]
      : isLast && arg.includes('://')
        ? [arg.split(/[?#]/, 1)[0] ?? '']
        : []
  })
}

/** Records files that are saved under the last part of their URL, unless the host names them. */
function noteDownloads(call: Call, effects: Effects): void {
  for (const arg of call.args) {
    if (arg.startsWith('-')) continue
    const path = arg.split(/[?#]/, 1)[0] ?? ''
    noteWritten(path.slice(path.lastIndexOf('/') + 1) || 'index.html', undefined, effects)
  }
  if (call.args.some((arg) => NAMES_BY_HOST.test(arg))) signal(effects, 'code', 1)
}

const NAMES_BY_HOST = longPattern('fetch.NAMES_BY_HOST')

/** Reads a URL or host. A pattern stands for several. */
function readTarget(url: string, request: Request, context: ShellContext): void {
  const isPatterned = /[{}\\`$]/.test(url.split(/[?#]/, 1)[0] ?? '') || /\[(?![\da-f:.]+\])/i.test(url)
  request.place = farther(request.place, isPatterned ? 'outside' : placeOfHost(url, context))
  if (request.urls.length < 16) request.urls.push(url)
  readUrl(url, context.effects)
}

/** Reads one option argument, including `-sSLo` and `--data=x`. Returns true if it takes the next word. */
function readOption(
  arg: string,
  next: string | undefined,
  known: ReadonlyMap<string, Effect>,
  request: Request,
  context: ShellContext,
): boolean {
  if (arg.startsWith('--') || known.has(arg)) {
    const equals = arg.indexOf('=')
    const name = equals > 0 ? arg.slice(0, equals) : arg
    const effect = known.get(name)
    if (effect === undefined) request.hidden = request.hiddenTarget = true
    const takes = effect !== undefined && effect !== 'flag' && equals < 0
    act(effect, name, equals > 0 ? arg.slice(equals + 1) : takes ? (next ?? '') : '', request, context)
    return takes && name !== '-n' && !name.startsWith('--netrc-o') && name !== '--netrc'
  }
  for (let i = 1; i < arg.length; i += 1) {
    const name = `-${arg.charAt(i)}`
    const effect = known.get(name)
    if (effect === undefined) request.hidden = request.hiddenTarget = true
    if (effect === 'flag' || effect === undefined || name === '-n') {
      if (effect === 'reference') request.hidden = request.hiddenTarget = true
      request.named ||= effect === 'flag' && name === '-O'
      continue
    }
    const attached = arg.slice(i + 1)
    act(effect, name, attached === '' ? (next ?? '') : attached, request, context)
    return attached === ''
  }
  return false
}

function act(
  effect: Effect | undefined,
  name: string,
  value: string,
  request: Request,
  context: ShellContext,
): void {
  const { effects } = context
  if (/^-O$|^--(?:remote-name|output-document)/.test(name)) request.named = effect === 'flag'
  if (effect === 'method') request.method = value || 'POST'
  else if (effect === 'output') keep(value, context)
  else if (effect === 'reference' || effect === undefined) request.hidden = request.hiddenTarget = true
  else if (effect === 'url') readTarget(value, request, context)
  else if (effect === 'redirect') redirect(value, request, context)
  else if (effect === 'login') {
    raise(effects, { confidentiality: 'internal' }, 'a request that logs in')
    // The value names a file, unless it is a login or a cookie.
    if (!/^-u|^--user|^--http-|^--ftp-|^--pass|^--oauth2/.test(name) && !value.includes('='))
      request.hidden = true
  } else if (effect === 'data' || effect === 'file') {
    if (request.method === 'GET') request.method = 'POST'
    request.uploads ||= effect === 'file'
    request.body.push(value)
    readData(effect, name, value, request, context)
  } else if (effect === 'value' && /^@|^$/.test(value) && /^-H|^--header|^-w|^--write-out/.test(name))
    request.hidden = true
}

/** Reads data to be sent. Data from a file is a file read and is sent by reference. */
function readData(
  effect: Effect,
  name: string,
  value: string,
  request: Request,
  { effects }: ShellContext,
): void {
  const at = value.search(/[@<]/)
  const isText =
    name === '--data-raw' || name === '--form-string' || name === '--post-data' || name === '--body-data'
  const file = effect === 'file' ? value : at >= 0 && !isText ? value.slice(at + 1) : undefined
  if (file === undefined) return
  // `-d 'mail=a@b.c'` is text, `-F f=@a.csv` and `-d @a.csv` are files; in the other options `@` may mean either.
  const isFile =
    effect === 'file' ||
    at === 0 ||
    /^-F|^--form/.test(name) ||
    name.includes('urlencode') ||
    name.includes('query')
  if (!isFile) return
  request.hidden = true
  // A body of JSON is a call of an interface; a file of a form is kept there.
  request.uploads ||= /^-F|^--form/.test(name) || (name === '--data-binary' && !OF_CALL.test(file))
  if (file !== '') raise(effects, pathKindOf(file).reads, 'a request that sends a file')
}

/** A file that is what an interface is asked, as a program writes it; `-` is what the command is fed. */
const OF_CALL = longPattern('fetch.OF_CALL')

function redirect(value: string, request: Request, context: ShellContext): void {
  const place = /^(?:\/|@)/.test(value) ? 'outside' : placeOfHost(value, context)
  request.place = farther(request.place, place)
  request.hidden = true
  request.hiddenTarget = true
  raise(
    context.effects,
    place === 'outside' ? COMMAND_LABELS.SEND : {},
    'a request that goes through another host',
  )
}

function keep(path: string, { effects }: ShellContext): void {
  raise(effects, pathKindOf(path.includes('://') ? '.' : path).writes, 'a download is kept')
  noteWritten(path, undefined, effects)
}

const SAVES = longPattern('fetch.SAVES')
