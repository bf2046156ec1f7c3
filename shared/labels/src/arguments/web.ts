import type { Organisation } from '@plimsoll/contracts'
import { type Effects, does, raise, signal, type Place } from './effects.js'
import { pathKindOf } from './paths.js'

/** Text of recipients read of one argument, in characters; what is beyond counts as outside. */
const TEXT_MAX = 65_536

/** How many recipients are where; `unknown`: nothing says (a name, a number, no valid address; or no domain is known as ours). */
export interface Recipients {
  readonly inside: number
  readonly outside: number
  readonly unknown: number
}

/**
 * Whether `host` is one of the organisation's domains. A subdomain is one only where it is listed, by itself or as `*.example.com`: anyone who
 * can have a subdomain made would be inside otherwise.
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

/** One address: no comments, quotes, percent signs or routes, by which a mail server may deliver elsewhere than the text seems to say. */
const ADDRESS =
  /^[a-z0-9][a-z0-9._+-]{0,63}@([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+)$/i
/** A name of words, or in double quotes, before an address in angle brackets. */
const NAMED = /^(?:"[^"\\@<>\r\n]{0,128}"|[\p{L}\p{N}.' -]{0,128})\s?<([^<>]{1,320})>$/u

/** The host of a text that is one address and nothing else; undefined where it is not. */
export function hostOfAddress(text: string): string | undefined {
  const plain = text.trim()
  return ADDRESS.exec(NAMED.exec(plain)?.[1] ?? plain)?.[1]
}

const ACCOUNT = /^(?:[A-Z]{2}\d{2}[A-Z0-9 ]{8,34}|[\d -]{6,34})$/

/** Whether a recipient is the number of an account: it gets money, and no file or record. */
export const isAccount = (text: string): boolean => ACCOUNT.test(text.trim())

/**
 * Counts the recipients of a text such as `Ann <ann@example.com>, bob@example.org`. What is no address may be anybody; what looks like
 * an address and is none goes outside.
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

/** Characters of one URL; a longer one is a load of its own. */
const URL_MAX = 8192
/** Characters behind the host from which a mere GET may carry something out. */
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

/** Hosts that hand the machine's own credentials to anyone who asks from it. */
const METADATA_HOSTS = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '[fd00:ec2::254]',
  'metadata.google.internal',
])
const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/**
 * Where a URL or host goes; undefined where it is none. What may be read as another host than it seems to name goes outside: a
 * backslash, a user name before the host, an address of numbers in any but its plain form.
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
    return writtenAs(url, hostname) ? placeOfAddress(hostname) : 'outside'
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return 'local'
  if (isInside(hostname, organisation)) return 'inside'
  return hostname.endsWith('.local') || hostname.endsWith('.internal') ? 'inside' : 'outside'
}

/** Control and white-space characters, which parsers drop or end a host at. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028\u2029\ufeff]/

/** Whether the address stands where the host does as it is understood: `2130706433`, `0x7f.1` and `127.1` are that host to a parser alone. */
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

/** Raises what a URL says whatever is done with it: metadata services, local files, scripts, a long load. */
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

/** Raises what a request of `method` to `place` is: a mere look at the network is no exfiltration by itself. */
export function readRequest(method: string, place: Place, effects: Effects): void {
  const safe = SAFE_METHODS.has(method.toUpperCase())
  if (method.toUpperCase() === 'DELETE') does(effects, 'delete')
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
