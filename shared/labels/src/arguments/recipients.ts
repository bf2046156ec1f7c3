import type { Organisation } from '@plimsoll/contracts'

/** Text of recipients read of one argument, in characters; what is beyond counts as outside. */
const TEXT_MAX = 65_536

/** How many recipients are where; `unknown`: nothing says (a name, a number, no valid address; or no domain is known as ours). */
export interface Recipients {
  readonly inside: number
  readonly outside: number
  readonly unknown: number
}

/**
 * Whether `host` is one of the organisation's domains. A subdomain is one only where it is listed, by itself or as `*.example.com`: whoever
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
