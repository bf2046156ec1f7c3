import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { idSchema, lineSchema, tenantSchema } from '../ids.js'

/**
 * The claims of a session's token, with JWT names (RFC 7519) where they exist. Source: docs/decisions/20261122-enforcement.md, identity.
 */
export const identityClaimsSchema = z.strictObject({
  sub: lineSchema(200).describe('The principal that started the session.'),
  sid: idSchema.describe('The session.'),
  tenant: tenantSchema,
  cat: lineSchema(64).optional().describe('The category that the session declares, if any.'),
  agt: idSchema.optional().describe('The agent.'),
  usr: lineSchema(200).optional().describe("The agent's user."),
  par: idSchema.optional().describe('The delegating session, from which it must inherit.'),
  root: idSchema.optional().describe('The root of its lineage; by default the session itself.'),
  iat: z.int().min(0).describe('When it was issued, seconds since 1970.'),
})
export type IdentityClaims = z.infer<typeof identityClaimsSchema>

/** A JWS in its compact form, which is opaque to agents. */
export const identityTokenSchema = z
  .string()
  .max(4096)
  .regex(/^[\w-]+\.[\w-]+\.[\w-]{43}$/, 'expected a token of a session')

/** The only header: a choice of header would be a choice of how the token is verified. */
const HEADER = encoded({ alg: 'HS256', typ: 'JWT' })

/** Signs `claims` with `key`. Throws a `ZodError` for invalid claims. */
export function issueToken(claims: IdentityClaims, key: string): string {
  const signed = `${HEADER}.${encoded(identityClaimsSchema.parse(claims))}`
  return `${signed}.${signatureOf(signed, key).toString('base64url')}`
}

/** The claims of `token`; undefined unless one of `keys` signed it. */
export function readToken(token: string, keys: readonly string[]): IdentityClaims | undefined {
  const [header, payload = '', signature = ''] = token.split('.')
  if (header !== HEADER || !identityTokenSchema.safeParse(token).success) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isSigned = keys.some((key) => isSame(given, signatureOf(`${header}.${payload}`, key)))
  return isSigned ? claimsIn(payload) : undefined
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** The claims of `token` as its maker states them: nothing is verified. For display; undefined if there are none. */
export function claimsOf(token: string | undefined): IdentityClaims | undefined {
  const [, payload] = token?.split('.') ?? []
  return payload === undefined ? undefined : claimsIn(payload)
}

function claimsIn(payload: string): IdentityClaims | undefined {
  try {
    return identityClaimsSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

const signatureOf = (text: string, key: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Header of an agent's event: the HMAC of the record's value under the key of its session. */
export const PROOF_HEADER = 'plimsoll-proof'

/** Characters of a proof: an HMAC-SHA-256 in base64url. */
export const PROOF_CHARS = 43

/**
 * The key of session `id`, which proves every event of its agent. Its owner cannot derive the key of another session or a token, because
 * a token's signed text contains no space. Source: docs/decisions/20261122-enforcement.md, identity.
 */
export const sessionKeyOf = (id: string, key: string): Buffer =>
  createHmac('sha256', key).update(`plimsoll session ${id}`).digest()

/** The value of `PROOF_HEADER` for a record with `value` under its session's key. */
export const proofOf = (value: string | Uint8Array, sessionKey: Buffer): string =>
  createHmac('sha256', sessionKey).update(value).digest('base64url')

/** Whether `proof` was made for `value` with the key of session `id`, derived from one of `keys`. */
export function isProved(
  value: string | Uint8Array,
  id: string,
  proof: string,
  keys: readonly string[],
): boolean {
  if (proof.length !== PROOF_CHARS) return false
  const given = Buffer.from(proof)
  return keys.some((key) => {
    const expected = Buffer.from(proofOf(value, sessionKeyOf(id, key)))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
