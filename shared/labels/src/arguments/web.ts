import { longPattern } from '../text/data.js'
import type { Organisation } from '@plimsoll/contracts'
import { type Effects, does, raise, signal, type Place } from './effects.js'
import { pathKindOf } from './paths.js'

/** Characters of one argument's recipients that are read; anything beyond counts as outside. */
const TEXT_MAX = 65_536

/** Recipients by place. `unknown`: a name, a number or an invalid address, or the organisation's domains are not known. */
export interface Recipients {
  readonly inside: number
  readonly outside: number
  readonly unknown: number
}

/**
 * Whether `host` is one of the organisation's domains. Subdomains must be listed, by name or as `*.example.com`; otherwise anyone who can
 * register a subdomain would be inside.
 *
 * @example isInside('mail.example.com', { domains: ['*.example.com'] }) // true
 */
export function isInside(host: string, organisation: Organisation | undefined): boolean {
  if (!organisation) return false
  const plain = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase()
  return organisation.domains.some((domain) =>
    domain.startsWith('*.')
      ? plain.length > domain.length - 1 && plain.endsWith(domain.slice(1))
      : plain === domain,
  )
}

/** One address without comments, quotes, percent signs or routes, which can make a mail server deliver elsewhere. */
const ADDRESS = longPattern('web.ADDRESS')
/** A display name, plain or in double quotes, before an address in angle brackets. */
const NAMED = longPattern('web.NAMED')

/** The host of a text that is exactly one address; undefined for any other text. */
export function hostOfAddress(text: string): string | undefined {
  const plain = text.trim()
  return ADDRESS.exec(NAMED.exec(plain)?.[1] ?? plain)?.[1]
}

const ACCOUNT = longPattern('web.ACCOUNT')

/** Whether the recipient is an account number: it receives money, not files or records. */
export const isAccount = (text: string): boolean => ACCOUNT.test(text.trim())

/**
 * Counts the recipients in a text such as `Ann <ann@example.com>, bob@example.org`. Text that is no address is unknown; text that only
 * looks like an address counts as outside.
 */
export function countRecipients(text: string, organisation: Organisation | undefined): Recipients {
  const counts = { inside: 0, outside: text.length > TEXT_MAX ? 1 : 0, unknown: 0 }
  for (const part of text.slice(0, TEXT_MAX).split(/[,;\n]/)) {
    if (part.trim() === '') continue
    const host = hostOfAddress(part)
    if (!organisation || (host === undefined && !part.includes('@'))) counts.unknown += 1
    else counts[host !== undefined && isInside(host, organisation) ? 'inside' : 'outside'] += 1
  }
  return counts
}

/** Longest URL in characters; a longer one counts as a load. */
const URL_MAX = 8192
/** From this many characters after the host, even a GET may carry data out. */
const LOAD_MAX = 1024

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
export const METHODS: ReadonlySet<string> = new Set([
  ...SAFE_METHODS,
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'CONNECT',
])

/** Cloud metadata services, which return the machine's credentials. */
const METADATA_HOSTS = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '[fd00:ec2::254]',
  'metadata.google.internal',
])
const IPV4 = longPattern('web.IPV4')

/**
 * The place of a URL or host; undefined if it is neither. URLs that a parser may resolve to another host count as outside: a backslash, a
 * user name before the host, a numeric address in an unusual form.
 *
 * @example placeOf('http://10.0.0.7/', undefined) // 'inside'
 * @example placeOf('http://10.example.org/', undefined) // 'outside'
 */
export function placeOf(url: string, organisation: Organisation | undefined): Place | undefined {
  const parsed = parseUrl(url)
  if (!parsed) return undefined
  const { hostname, username, password } = parsed
  if (url.includes('\\') || username !== '' || password !== '' || HIDDEN.test(url)) return 'outside'
  if (hostname.startsWith('[') || IPV4.test(hostname))
    return writtenAs(url, hostname) ? (relaysFrom(parsed) ?? placeOfAddress(hostname)) : 'outside'
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return relaysFrom(parsed) ?? 'local'
  if (isInside(hostname, organisation)) return 'inside'
  return hostname.endsWith('.local') || hostname.endsWith('.internal') ? 'inside' : 'outside'
}

/** Outside if a host of this machine or network is asked to pass the request on to another: `http://127.0.0.1/proxy?to=https://…`. */
const relaysFrom = ({ pathname, search }: URL): Place | undefined =>
  RELAYS.test(search) || /\/https?:\/{1,2}\w/.test(pathname) ? 'outside' : undefined
const RELAYS = longPattern('web.RELAYS')

/** Control and white-space characters, which parsers drop or end a host at. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = longPattern('web.HIDDEN')

/** Whether the URL contains the parsed address literally. Parsers also accept it as `2130706433`, `0x7f.1` or `127.1`. */
function writtenAs(url: string, address: string): boolean {
  const authority = /^(?:[a-z][a-z0-9+.-]*:)?\/{0,2}([^/?#]*)/i.exec(url)?.[1] ?? ''
  return authority.replace(/:\d*$/, '').toLowerCase() === address
}

function placeOfAddress(address: string): Place {
  if (address === '[::1]' || address === '[::]' || address === '0.0.0.0') return 'local'
  if (address.startsWith('[')) return /^\[f[cd][0-9a-f]{2}:/.test(address) ? 'inside' : 'outside'
  const [a = 0, b = 0] = address.split('.').map(Number)
  if (a === 127) return 'local'
  const isPrivate =
    a === 10 ||
    (a === 192 && b === 168) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 100 && b >= 64 && b <= 127)
  return isPrivate ? 'inside' : 'outside'
}

/** Raises by the URL itself, whatever the request: metadata services, local files, scripts, a long load. */
export function readUrl(url: string, effects: Effects): void {
  const parsed = parseUrl(url)
  if (!parsed) return
  if (METADATA_HOSTS.has(parsed.hostname))
    raise(effects, { confidentiality: 'credentials' }, "a service that hands out this machine's credentials")
  if (parsed.protocol === 'file:') {
    const kind = pathKindOf(parsed.pathname)
    raise(effects, kind.reads, `a URL of ${kind.name}`)
  }
  if (parsed.protocol === 'javascript:') raise(effects, { capability: 'execute' }, 'a URL that is a program')
  const load = url.length > URL_MAX ? 1 : (parsed.pathname.length + parsed.search.length) / LOAD_MAX
  signal(effects, 'load', load)
  if (load >= 1) raise(effects, { reversibility: 'irreversible' }, 'a URL long enough to carry something out')
}

/** A request as far as it was read: the farthest of its places, and whether its body is known to be only a question. */
export interface WebRequest {
  readonly method: string
  readonly place: Place
  readonly urls: readonly string[]
  readonly asks?: boolean
}

/** Raises by a request. Only looking at the network is no exfiltration by itself. */
export function readRequest({ method, place, urls, asks = false }: WebRequest, effects: Effects): void {
  const safe = SAFE_METHODS.has(method.toUpperCase())
  const deletes = method.toUpperCase() === 'DELETE'
  const wipes = urls.some((url) => wipesStore(method, url))
  if (!safe && urls.some(deploys)) {
    raise(effects, { capability: 'network', reversibility: 'irreversible' }, 'a request that makes work live')
    does(effects, 'publish')
  }
  if (!safe && urls.some(isRead)) {
    raise(effects, { capability: 'network', reversibility: 'irreversible' }, 'a message to others')
    does(effects, 'send')
  }
  if (deletes || wipes) does(effects, 'delete')
  if (wipes || (deletes && place === 'inside'))
    raise(effects, { capability: 'write', reversibility: 'irreversible' }, 'a request that takes away')
  // A search, or a query that only reads: what it asks for still goes there.
  if (asks && !safe && place !== 'local')
    return raise(
      effects,
      { capability: 'network', confidentiality: 'public', trust: 'untrusted', reversibility: 'partial' },
      'a question to a service',
      true,
    )
  if (place === 'local')
    raise(
      effects,
      safe ? { capability: 'read', trust: 'untrusted' } : { capability: 'write', reversibility: 'partial' },
      'a request to this machine',
    )
  else if (safe)
    raise(
      effects,
      { capability: 'network', confidentiality: 'public', trust: 'untrusted' },
      'a request that only reads',
      true,
    )
  else
    raise(
      effects,
      {
        capability: 'network',
        confidentiality: 'public',
        trust: 'untrusted',
        reversibility: place === 'inside' ? 'partial' : 'irreversible',
      },
      place === 'inside' ? 'a request that sends, within the organisation' : 'a request that sends',
      true,
    )
}

/** Ports of stores of data and secrets, and paths by which a request takes away more than one record. */
const STORE_PORT = longPattern('web.STORE_PORT')
const WIPES = longPattern('web.WIPES')

/** Whether a request takes away what a store keeps, wherever the store is. */
const wipesStore = (method: string, url: string): boolean => {
  const text = url.slice(0, 1024)
  const name = method.toUpperCase()
  return !SAFE_METHODS.has(name) && (WIPES.test(text) || (name === 'DELETE' && STORE_PORT.test(text)))
}

/** Places that post what they get to people. */
const POSTS = longPattern('web.POSTS')

/** Whether what is sent to a URL is read by people. */
const isRead = (url: string): boolean =>
  POSTS.test(url.slice(0, 256)) || BY_VARIABLE.test(url.slice(0, 64)) || OF_COMMENTS.test(url.slice(0, 512))
const BY_VARIABLE = longPattern('web.BY_VARIABLE')

/** Whether a request is a search, whose question is its body. */
export const searches = (url: string): boolean => SEARCHES.test(url.slice(0, 512))
const SEARCHES = longPattern('web.SEARCHES')

/** Whether a request starts what makes work live. */
const deploys = (url: string): boolean => DEPLOYS.test(url.slice(0, 512))
const DEPLOYS = longPattern('web.DEPLOYS')

function parseUrl(url: string): URL | undefined {
  const text = url.length > URL_MAX ? url.slice(0, URL_MAX) : url
  try {
    return new URL(
      /^[a-z][a-z0-9+.-]{0,20}:/i.test(text) && !/^[^/]{1,253}:\d/.test(text) ? text : `http://${text}`,
    )
  } catch {
    return undefined
  }
}

const OF_COMMENTS = longPattern('web.OF_COMMENTS')
