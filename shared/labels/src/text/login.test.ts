import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrivialLogin, loginOf } from './login.js'

test('reads the login of a URL', () => {
  assert.deepEqual(loginOf('postgres://svc:a:b@c@DB.example.org:5432/app/ledger?ssl=1'), {
    user: 'svc',
    password: 'a:b@c',
    host: 'db.example.org',
    name: 'ledger',
  })
  for (const url of [
    'https://a.example/@user',
    'https://user@a.example',
    'https://a.example:80/x:y@z',
    'a:@b',
  ])
    assert.equal(loginOf(url), undefined, url)
})

test('a login on the own machine is none if its password is its name or a short word', () => {
  const isTrivial = (url: string): boolean => {
    const login = loginOf(url)
    return login !== undefined && isTrivialLogin(login)
  }
  for (const url of [
    'postgresql://app:app@localhost:5432/app_dev',
    'mysql://root:root@127.0.0.1/blog',
    'postgres://web:ledger@db/ledger?ssl=0',
    'mongodb://admin:1234@[::1]:27017/',
  ])
    assert.ok(isTrivial(url), url)
  for (const url of [
    'postgres://app:app@db.example.org/app',
    'postgres://app:app@10.0.0.4/app',
    'postgres://app:Xk29fLq1@localhost/app',
    'postgres://app:quietHarbour@db/app',
  ])
    assert.ok(!isTrivial(url), url)
})
