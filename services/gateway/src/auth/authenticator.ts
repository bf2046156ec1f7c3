import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { PlimsollError } from '@plimsoll/contracts'
import { type JWTVerifyGetKey, createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { z } from 'zod'
import type { NamedIssuer, Principal, PrincipalsDocument } from './principals.js'

/** SHA-256 of an API key, all that the gateway stores of it. Looked up instead of compared, so timing reveals nothing of a key. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex')

type ListedPrincipal = PrincipalsDocument['principals'][number]

const fromList = ({ name, tenant, trust, approves, category, world }: ListedPrincipal): Principal =>
  Object.freeze({
    name,
    tenant,
    trust,
    ...(approves && { approves }),
    ...(category !== undefined && { category }),
    ...(world && { world }),
  })

/** A principal whose requests are signed with a secret, which no hash can check. */
export interface Signer {
  readonly principal: Principal
  readonly secret: string
}

/** Principals with a secret for webhooks, by name. Throws `config_invalid` for a variable that is not set. */
export function signersOf(
  { principals }: PrincipalsDocument,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, Signer> {
  const signers = new Map<string, Signer>()
  for (const listed of principals) {
    const { name, webhookSecretEnv: variable } = listed
    if (variable === undefined) continue
    const secret = environment[variable] ?? ''
    if (secret.length < SECRET_LENGTH_MIN)
      throw new PlimsollError(
        'config_invalid',
        `\`${variable}\`, the webhook secret of \`${name}\`, needs at least ${SECRET_LENGTH_MIN} characters`,
      )
    signers.set(name, { principal: fromList(listed), secret })
  }
  return signers
}

const SECRET_LENGTH_MIN = 16

/** Returns the principal of an API key. */
function createKeyRing({ principals }: PrincipalsDocument): (key: string) => Principal | undefined {
  const byHash = new Map<string, Principal>()
  for (const listed of principals) {
    const principal = fromList(listed)
    for (const hash of listed.keys) byHash.set(hash, principal)
  }
  return (key) => byHash.get(hashOfKey(key))
}

/** Asymmetric signatures only: `none` and shared secrets prove nothing. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Allowed clock difference between issuer and gateway, seconds. */
const CLOCK_SECONDS_MAX = 30

/** How long an issuer may take to answer, milliseconds. */
const ISSUER_MS_MAX = 5_000

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() })

/** Whether `credential` looks like a token instead of a key. */
const isToken = (credential: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential)

/** Returns the principal of an OIDC token; undefined if it is invalid. Rejects if the issuer cannot be reached. */
function createTokenReader(
  issuers: readonly NamedIssuer[],
): (token: string) => Promise<Principal | undefined> {
  const readers = new Map(issuers.map((issuer) => [issuer.issuer, createIssuerReader(issuer)]))
  return async (token) => readers.get(issuerOf(token))?.(token)
}

function createIssuerReader(named: NamedIssuer): (token: string) => Promise<Principal | undefined> {
  const { issuer, audience } = named
  let keys: Promise<JWTVerifyGetKey> | undefined

  async function keysOf(): Promise<JWTVerifyGetKey> {
    const url = named.jwksUrl ?? (await discover(issuer))
    return createRemoteJWKSet(new URL(url), { timeoutDuration: ISSUER_MS_MAX })
  }

  function knownKeys(): Promise<JWTVerifyGetKey> {
    keys ??= keysOf().catch((error: unknown) => {
      // Retried for the next token.
      keys = undefined
      throw error
    })
    return keys
  }

  return async (token) => {
    const getKey = await knownKeys()
    try {
      const options = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: CLOCK_SECONDS_MAX }
      const { payload } = await jwtVerify(token, getKey, { ...options, requiredClaims: ['sub', 'exp'] })
      const { sub, exp = 0 } = payload
      return sub ? { ...principalOf(named, sub), expiresAtMs: exp * 1000 } : undefined
    } catch (error) {
      if (isBadToken(error)) return undefined
      throw unreachable(issuer, error)
    }
  }
}

async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ISSUER_MS_MAX) })
    const document = discoverySchema.parse(await response.json())
    if (document.issuer !== issuer) throw new Error(`it calls itself \`${document.issuer}\``)
    return document.jwks_uri
  } catch (error) {
    throw unreachable(issuer, error)
  }
}

/** Subjects that can be a part of a session's id. */
const SUBJECT = /^[A-Za-z0-9._/@+-]{1,64}$/

/** Any other subject is replaced by its digest. */
function principalOf(
  { name, tenant, trust, approves, category, world }: NamedIssuer,
  subject: string,
): Principal {
  const shown = SUBJECT.test(subject)
    ? subject
    : `sha256=${createHash('sha256').update(subject).digest('hex')}`
  return {
    name: `${name}/${shown}`,
    tenant,
    trust,
    ...(approves && { approves }),
    ...(category !== undefined && { category }),
    ...(world && { world }),
  }
}

function issuerOf(token: string): string {
  try {
    return decodeJwt(token).iss ?? ''
  } catch {
    return ''
  }
}

/** Whether the token is invalid, as opposed to an issuer that does not answer. */
function isBadToken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_J') && code !== 'ERR_JWKS_TIMEOUT' && code !== 'ERR_JOSE_GENERIC'
}

function unreachable(issuer: string, cause: unknown): PlimsollError {
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new PlimsollError('issuer_unavailable', `\`${issuer}\`: ${problem}`, { cause })
}

/** Returns the sender of a request with `headers`. Rejects with `unauthenticated`, and with `issuer_unavailable`. */
export type Authenticate = (headers: Pick<IncomingHttpHeaders, 'authorization'>) => Promise<Principal>

/** Longest credential: longer than any token of an issuer. */
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
