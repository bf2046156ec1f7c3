import type { IncomingHttpHeaders } from 'node:http'
import { PlimsollError } from '@plimsoll/contracts'
import { createKeyRing } from './api-keys.js'
import { createTokenReader, isToken } from './issuers.js'
import type { Principal } from './principal.js'
import type { PrincipalsDocument } from './principals-file.js'

/** Who sent a request with `headers`. Rejects with `unauthenticated`, and with `issuer_unavailable` where nobody can say. */
export type Authenticate = (headers: Pick<IncomingHttpHeaders, 'authorization'>) => Promise<Principal>

/** Longer than any token that an issuer would give, and what headers may be. */
const CREDENTIAL_CHARS_MAX = 8_192

export function createAuthenticator(document: PrincipalsDocument): Authenticate {
  const ofKey = createKeyRing(document)
  const ofToken = createTokenReader(document.issuers)
  return async ({ authorization = '' }) => {
    const credential = credentialOf(authorization)
    if (credential === undefined) throw unauthenticated('expected `authorization: Bearer …`')
    const principal = ofKey(credential) ?? (isToken(credential) ? await ofToken(credential) : undefined)
    if (!principal) throw unauthenticated('the credential is not one of the principals of this gateway')
    return principal
  }
}

function credentialOf(authorization: string): string | undefined {
  if (authorization.length > CREDENTIAL_CHARS_MAX) return undefined
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1]
}

const unauthenticated = (message: string) => new PlimsollError('unauthenticated', message)
