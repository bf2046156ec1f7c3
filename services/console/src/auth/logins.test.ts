import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoginLimit, createLogins } from './logins.js'

const clockAt = () => {
  let now = 0
  return { now: () => now, set: (ms: number) => void (now = ms) }
}
const USER = { name: 'ines', roles: { '*': 'admin' } } as const

test('a login lasts its time, or until it ends', () => {
  const clock = clockAt()
  const logins = createLogins(clock, { loginMs: 1_000 })
  const { secret, expiresAt } = logins.begin(USER)
  assert.match(secret, /^[\w-]{43}$/)
  assert.deepEqual([expiresAt, logins.find(secret)?.user.name], [1_000, 'ines'])
  assert.equal(logins.find(`${secret}x`), undefined)
  const other = logins.begin(USER)
  logins.end(other.secret)
  assert.equal(logins.find(other.secret), undefined)
  clock.set(1_000)
  assert.equal(logins.find(secret), undefined)
})

test('a page changes things with its own secret, for its own user, while its login lasts', () => {
  const clock = clockAt()
  const logins = createLogins(clock, { loginMs: 1_000 })
  const first = logins.begin(USER)
  const second = logins.begin(USER)
  const other = logins.begin({ ...USER, name: 'omar' })
  for (const [pageSecret, may] of [
    [first.pageSecret, true],
    [second.pageSecret, true],
    [other.pageSecret, false],
    [first.secret, false],
    ['1', false],
  ] as const)
    assert.equal(logins.mayChange(first, pageSecret), may)
  logins.end(second.secret)
  assert.equal(logins.mayChange(first, second.pageSecret), false)
  clock.set(1_000)
  assert.equal(logins.mayChange(first, first.pageSecret), false)
})

test('the oldest login makes room', () => {
  const logins = createLogins(clockAt(), { loginsMax: 2 })
  const secrets = [1, 2, 3].map(() => logins.begin(USER).secret)
  assert.deepEqual(
    secrets.map((secret) => logins.find(secret) !== undefined),
    [false, true, true],
  )
})

test('refused attempts are bounded in a window', () => {
  const clock = clockAt()
  const limit = createLoginLimit(clock, { refusedMax: 2, windowMs: 100 })
  limit.refused()
  assert.equal(limit.mayTry(), true)
  limit.refused()
  assert.equal(limit.mayTry(), false)
  clock.set(100)
  assert.equal(limit.mayTry(), true)
})
