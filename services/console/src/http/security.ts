import { PlimsollError } from '@plimsoll/contracts'
import type { FastifyRequest } from 'fastify'
import type { RequestHeader } from '../api.js'

/** Headers of every answer: only this page's own files run, and no other page shows it in a frame. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

export const REQUEST_HEADER: RequestHeader = 'x-plimsoll-console'

/**
 * Throws `forbidden` unless a request that changes something comes from this page: a page of another origin cannot set the header without
 * a preflight, which is not answered, and browsers say where a request comes from.
 *
 * @param publicUrl where people open the page, if a proxy is in front of it
 */
export function assertSameOrigin({ headers }: FastifyRequest, publicUrl: string | undefined): void {
  if (headers[REQUEST_HEADER] === undefined)
    throw new PlimsollError('forbidden', `send the header \`${REQUEST_HEADER}\``)
  const { origin, host, 'sec-fetch-site': site = 'same-origin' } = headers
  const own = publicUrl === undefined ? `http://${host}` : new URL(publicUrl).origin
  if (site !== 'same-origin' || (origin !== undefined && origin !== own))
    throw new PlimsollError(
      'forbidden',
      `the request is not from this page at \`${own}\`: if people open it at another address, set \`PLIMSOLL_CONSOLE_URL\``,
    )
}
