import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type CryptoKey, type JWK, SignJWT, decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { type Authenticate, createAuthenticator, hashOfKey } from './authenticator.js'
import { parsePrincipals } from './principals.js'

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

describe('API keys', () => {
  const authenticate = createAuthenticator(
    parsePrincipals({
      principals: [
        { name: 'desk', keys: [hashOfKey('key-of-desk'), hashOfKey('next-key-of-desk')], trust: 'host' },
        { name: 'bot', tenant: 'acme', category: 'support', keys: [hashOfKey('key-of-bot')] },
      ],
    }),
  )

  test('a key identifies its principal, which is an agent by default', async () => {
    const registry = { name: 'desk', tenant: 'default', trust: 'host' }
    assert.deepEqual(await authenticate(bearer('key-of-desk')), registry)
    assert.deepEqual(await authenticate(bearer('next-key-of-desk')), registry)
    const bot = { name: 'bot', tenant: 'acme', trust: 'agent', category: 'support' }
    assert.deepEqual(await authenticate(bearer('key-of-bot')), bot)
  })

  const refused = [
    ['nothing', {}],
    ['another scheme', { authorization: 'Basic a2V5LW9mLWRlc2s=' }],
    ['an unknown key', bearer('key-of-nobody')],
    ['the hash of a key', bearer(hashOfKey('key-of-desk'))],
    ['two keys', bearer('key-of-desk key-of-bot')],
    ['a token of no issuer', bearer('e30.e30.c2ln')],
    ['an endless one', bearer('x'.repeat(100_000))],
  ] as const
  for (const [what, headers] of refused)
    test(`refuses ${what}`, async () => {
      await assert.rejects(authenticate(headers), { code: 'unauthenticated' })
    })
})

describe('tokens of an issuer', () => {
  const server = createServer((request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    response.end(JSON.stringify(isDiscovery ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [jwk] }))
  })
  let issuer = ''
  let jwk: JWK = {}
  let privateKey: CryptoKey
  let authenticate: Authenticate

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const pair = await generateKeyPair('ES256', { extractable: true })
    privateKey = pair.privateKey
    jwk = { ...(await exportJWK(pair.publicKey)), alg: 'ES256', kid: 'one' }
    authenticate = createAuthenticator(
      parsePrincipals({ issuers: [{ name: 'corp', issuer, audience: 'plimsoll', tenant: 'acme' }] }),
    )
  })
  after(() => server.close())

  const token = (
    claims: { sub?: string; aud?: string; iss?: string; exp?: string | number },
    key = privateKey,
  ) => {
    const { sub = 'ann', aud = 'plimsoll', iss = issuer, exp = '5m' } = claims
    const signer = new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: 'one' })
    return signer
      .setSubject(sub)
      .setAudience(aud)
      .setIssuer(iss)
      .setIssuedAt()
      .setExpirationTime(exp)
      .sign(key)
  }

  test("a token's subject is a principal", async () => {
    const ann = { name: 'corp/ann', tenant: 'acme', trust: 'agent' }
    const given = await token({})
    const { expiresAtMs, ...who } = await authenticate(bearer(given))
    assert.deepEqual(who, ann)
    assert.equal(expiresAtMs, (decodeJwt(given).exp ?? 0) * 1000)
  })

  test('replaces a subject that no session id can hold by its digest', async () => {
    const { name } = await authenticate(bearer(await token({ sub: 'corp:ann ~' })))
    assert.match(name, /^corp\/sha256=[0-9a-f]{64}$/)
  })

  test('refuses a token for another audience, expired, or of another key', async () => {
    const { privateKey: other } = await generateKeyPair('ES256')
    const bad = [
      token({ aud: 'mail' }),
      token({ exp: 1 }),
      token({}, other),
      token({ iss: 'http://127.0.0.1:1' }),
    ]
    for (const each of await Promise.all(bad))
      await assert.rejects(authenticate(bearer(each)), { code: 'unauthenticated' })
  })

  test('reports an unreachable issuer, and retries with the next token', async () => {
    const url = 'http://127.0.0.1:1'
    const asked = createAuthenticator(
      parsePrincipals({ issuers: [{ name: 'gone', issuer: url, audience: 'plimsoll' }] }),
    )
    const shown = bearer(await token({ iss: url }))
    await assert.rejects(asked(shown), { code: 'issuer_unavailable' })
    await assert.rejects(asked(shown), { code: 'issuer_unavailable' })
  })
})
