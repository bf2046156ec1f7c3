import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCodeTaker } from './codes.js'
import { hashOfToken, parseUsers } from './users.js'

test('a code is good for one log-in, of its user', () => {
  const tokens = [hashOfToken('a token')]
  const users = parseUsers({ users: [{ name: 'ines', tokens, roles: { '*': 'admin' } }] })
  const codes = new Map([
    [hashOfToken('a code'), 'ines'],
    [hashOfToken('of nobody'), 'omar'],
  ])
  const take = createCodeTaker(codes, users)
  for (const [code, name] of [
    ['another', undefined],
    ['a token', undefined],
    [hashOfToken('a code'), undefined],
    ['of nobody', undefined],
    ['a code', 'ines'],
    ['a code', undefined],
  ] as const)
    assert.equal(take(code)?.name, name, code)
})
