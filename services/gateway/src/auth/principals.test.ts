import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashOfKey } from './authenticator.js'
import { parsePrincipals } from './principals.js'

const key = hashOfKey('a key')
const other = hashOfKey('another key')

const bad: readonly (readonly [string, unknown, RegExp])[] = [
  ['an empty file', null, /expected at least one principal or issuer/],
  ['nobody at all', { principals: [] }, /expected at least one principal or issuer/],
  [
    'a key itself',
    { principals: [{ name: 'a', keys: ['secret'] }] },
    /principals\.0\.keys\.0: expected a SHA-256/,
  ],
  ['no key', { principals: [{ name: 'a', keys: [] }] }, /principals\.0\.keys/],
  ['a name that could begin another session id', { principals: [{ name: 'a:b', keys: [key] }] }, /no `:`/],
  [
    'a name twice',
    {
      principals: [
        { name: 'a', keys: [key] },
        { name: 'a', keys: [other] },
      ],
    },
    /`a` is named twice/,
  ],
  [
    'a key of two',
    {
      principals: [
        { name: 'a', keys: [key] },
        { name: 'b', keys: [key] },
      ],
    },
    /is of two principals/,
  ],
  [
    'an agent that approves',
    { principals: [{ name: 'a', keys: [key], trust: 'agent', approves: true }] },
    /`a` is an agent and cannot approve/,
  ],
  ['a trust that there is not', { principals: [{ name: 'a', keys: [key], trust: 'root' }] }, /trust/],
  ['a field that there is not', { principals: [], users: [] }, /users/],
]
for (const [what, document, problem] of bad)
  test(`refuses ${what}`, () => {
    assert.throws(() => parsePrincipals(document), { code: 'document_invalid', message: problem })
  })
