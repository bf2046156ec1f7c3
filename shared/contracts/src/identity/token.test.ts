import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { issueToken, readToken, type IdentityClaims } from './token.js'

const KEY = 'the identity key of this deployment'
const CLAIMS: IdentityClaims = {
  sub: 'support-bots',
  sid: 'acme~run-7',
  tenant: 'acme',
  cat: 'communication',
  agt: 'bob',
  usr: 'Ann Ångström',
  par: 'acme~run-6',
  root: 'acme~run-1',
  iat: 1_795_000_000,
}
const TOKEN = issueToken(CLAIMS, KEY)
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const signed = (header: unknown, payload: unknown, key = KEY) => {
  const text = `${base64url(header)}.${base64url(payload)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
const HEADER = { alg: 'HS256', typ: 'JWT' }

describe('token', () => {
  test('says what was issued, under each of the keys that are verified by', () => {
    assert.deepEqual(readToken(TOKEN, [KEY]), CLAIMS)
    assert.deepEqual(readToken(TOKEN, ['the key that comes next', KEY]), CLAIMS)
    const { sub, sid, tenant, iat } = CLAIMS
    assert.deepEqual(readToken(issueToken({ sub, sid, tenant, iat }, KEY), [KEY]), { sub, sid, tenant, iat })
  })

  test('is a JWS with HS256, as RFC 7515 writes it', () => {
    assert.equal(TOKEN, signed(HEADER, CLAIMS))
  })

  const [header = '', payload = '', signature = ''] = TOKEN.split('.')
  const refused: readonly [string, string][] = [
    ['of another key', issueToken(CLAIMS, 'the identity key of another one')],
    ['without a signature', `${header}.${payload}.`],
    ['with the signature of another', `${header}.${payload}.${issueToken({ ...CLAIMS, sid: 's' }, KEY).split('.')[2]}`],
    ['with other claims', `${header}.${base64url({ ...CLAIMS, cat: 'research' })}.${signature}`],
    ['that says it is not signed', `${base64url({ alg: 'none' })}.${payload}.`],
    ['with a header of its own, well signed', signed({ alg: 'HS256' }, CLAIMS)],
    ['with a claim that there is not, well signed', signed(HEADER, { ...CLAIMS, admin: true })],
    ['without a principal, well signed', signed(HEADER, { ...CLAIMS, sub: undefined })],
    ['whose claims are no JSON, well signed', signed(HEADER, 'x').replace(/\..*\./, '.eA.')],
    ['with something behind it', `${TOKEN}.x`],
    ['that is nothing', ''],
    ['that is too long', `${header}.${'a'.repeat(5_000)}.${signature}`],
  ] // prettier-ignore
  for (const [what, token] of refused)
    test(`${what} says nothing`, () => assert.equal(readToken(token, [KEY]), undefined))

  test('nobody has signed it where there are no keys', () => assert.equal(readToken(TOKEN, []), undefined))
})
