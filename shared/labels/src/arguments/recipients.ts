import type { Organisation } from '@plimsoll/contracts'

/** Text of recipients read of one argument, in characters; what is beyond counts as outside. */
const TEXT_MAX = 65_536

/** How many recipients are where; `unknown`: nothing tells (a name, a number; or no domain is known as ours). */
export interface Recipients {
  readonly inside: number
  readonly outside: number
  readonly unknown: number
}

/**
 * Whether `host` is one of the organisation's domains or below one.
 *
 * @example isInside('mail.example.com', { domains: ['example.com'] }) // true
 */
export function isInside(host: string, organisation: Organisation | undefined): boolean {
  if (!organisation) return false
  const plain = host.endsWith('.') ? host.slice(0, -1).toLowerCase() : host.toLowerCase()
  return organisation.domains.some(
    (domain) =>
      plain === domain || (plain.endsWith(domain) && plain[plain.length - domain.length - 1] === '.'),
  )
}

/** Counts the addresses of a text such as `Ann <ann@example.com>, bob@example.org`. */
export function countRecipients(text: string, organisation: Organisation | undefined): Recipients {
  const counts = { inside: 0, outside: text.length > TEXT_MAX ? 1 : 0, unknown: 0 }
  for (const part of text.slice(0, TEXT_MAX).split(/[,;\s]/)) {
    const at = part.lastIndexOf('@')
    if (at <= 0) continue
    const host = /^[^<>()[\]"']*/.exec(part.slice(at + 1))?.[0] ?? ''
    if (!organisation || host === '') counts.unknown += 1
    else counts[isInside(host, organisation) ? 'inside' : 'outside'] += 1
  }
  if (counts.inside + counts.outside + counts.unknown === 0 && text.trim() !== '') counts.unknown = 1
  return counts
}
