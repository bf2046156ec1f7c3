import { longPattern } from '../../../text/data.js'
import { raise, signal, type Place } from '../../effects.js'
import { mutationIn, noteMutation, noteRequest } from '../../requests.js'
import { METHODS, readRequest, readUrl } from '../../web.js'
import { pathKindOf } from '../../paths.js'
import { type Call, type ShellContext, type Special, placeOfHost } from '../call.js'
import { noteAnswer } from './forbidden.js'

/** Options of HTTPie and xh that take the next word. */
const VALUED = longPattern('http-clients.VALUED')
/** Something after a name that makes data of it: `name=x`, `n:=1`, `file@a.csv`. A header and a question of the URL are none. */
const ITEM = longPattern('http-clients.ITEM')

/** Reads HTTPie and its like: `http PATCH :3000/users/3 role=admin`. */
export const readHttpie: Special = (call, context) => {
  const { effects } = context
  const words: string[] = []
  let raw: string | undefined
  let isHidden = call.open.includes(true)
  for (let i = 0; i < call.args.length; i += 1) {
    const arg = call.args[i] ?? ''
    isHidden ||= /^--(?:session|proxy)/.test(arg)
    if (!arg.startsWith('-') || arg === '-') words.push(arg)
    else if (VALUED.test(arg)) {
      i += 1
      if (arg === '--raw') raw = call.args[i] ?? ''
      if (/^(?:-o|--output)$/.test(arg))
        raise(effects, pathKindOf(call.args[i] ?? '').writes, 'a download is kept')
    } else if (arg.startsWith('--raw=')) raw = arg.slice('--raw='.length)
  }
  const hasMethod = words.length > 1 && METHODS.has((words[0] ?? '').toUpperCase())
  const [target = '', ...items] = hasMethod ? words.slice(1) : words
  if (target === '') return
  const url = target.startsWith(':')
    ? `localhost${/^:\d/.test(target) ? '' : ':80'}${target.replace(/^:(?=\/|$)/, '')}`
    : target
  const data: string[] = raw === undefined ? [] : [raw]
  for (const item of items) {
    const [, name = '', sign = '', value = ''] = ITEM.exec(item) ?? []
    if (sign === '=' || sign === ':=') data.push(`"${name}": ${sign === '=' ? `"${value}"` : value}`)
    if (sign.endsWith('@')) {
      isHidden = true
      raise(effects, pathKindOf(value).reads, 'a request that sends a file')
      data.push('')
    }
  }
  if (call.fed !== undefined) data.push(call.fed)
  const isFed = call.piped && !call.args.includes('--ignore-stdin')
  const method = hasMethod
    ? (words[0] ?? '').toUpperCase()
    : data.length > 0 || (isFed && call.fed === undefined)
      ? 'POST'
      : 'GET'
  const place = placeOfHost(url, context)
  readUrl(url, effects)
  readRequest({ method, urls: [url], place }, effects)
  if (isHidden || isFed)
    raise(
      effects,
      { capability: 'network', reversibility: 'irreversible' },
      'a request that carries what only the run decides',
    )
  if (place === 'outside') signal(effects, 'outside', 1)
  noteClientRequest({ method, urls: [url], body: data.join(', ') || fedBody(call, context) }, context)
}

/** A request of a client in a command line. A variable that the line sets stands for its value. */
export function noteClientRequest(
  request: { method: string; urls: readonly string[]; body: string; uploads?: boolean },
  context: ShellContext,
): void {
  const urls = request.urls.map((url) => withValue(url, context.whole))
  for (const url of urls) noteAnswer(url, context.effects)
  const placeOf = (url: string): Place => placeOfHost(url, context)
  noteRequest({ ...request, urls, placeOf }, context.effects)
}

/** What is fed to a client: a here-document, or the command line that prints it. */
export const fedBody = (call: Call, { text }: ShellContext): string => call.fed ?? (call.piped ? text : '')

/** `$API/users` as `https://api.example.com/users` where the command line sets it, or what stands there if nothing is set. */
export function withValue(url: string, whole: string): string {
  const [, name = '', otherwise, rest = ''] =
    /^"?\$\{?(\w{1,64})(?::-([^}]{0,256}))?\}?(.*)$/s.exec(url) ?? []
  if (name === '') return url
  if (otherwise !== undefined) return `${otherwise}${rest}`
  const [, value] =
    new RegExp(`(?:^|[\\s;&(])${name}=["']?([^\\s"';&|]{1,512})`).exec(whole.slice(0, 16_384)) ?? []
  return value === undefined || value.includes('$') ? url : `${value}${rest}`
}

/** Reads a mutation that `gh api graphql` and `glab api graphql` send. */
export const readApi: Special = (call, context) => {
  if (call.args[0] !== 'api' || !call.args.includes('graphql')) return
  for (const body of [...call.args, fedBody(call, context)]) {
    const mutation = mutationIn(body)
    if (mutation !== undefined) noteMutation(mutation, context.effects)
  }
}
