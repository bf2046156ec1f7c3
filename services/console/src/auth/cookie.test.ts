import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieOf, noCookie, secretIn } from './cookie.js'

const SECRET = 'a'.repeat(43)

test('the secret is found among other cookies', () => {
  assert.equal(secretIn(`x=1; plimsoll_console=${SECRET}; y=2`), SECRET)
  for (const header of [
    undefined,
    '',
    'plimsoll_console',
    `other_plimsoll_console=${SECRET}`,
    'plimsoll_console=short',
  ])
    assert.equal(secretIn(header), undefined)
  assert.equal(secretIn(`${'x=1; '.repeat(4_000)}plimsoll_console=${SECRET}`), undefined)
})

test('no script reads the cookie, and no other site sends it', () => {
  const cookie = cookieOf(SECRET, 60_500, true)
  assert.equal(cookie, `plimsoll_console=${SECRET}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure`)
  assert.match(noCookie(false), /^plimsoll_console=; .*Max-Age=0$/)
})
