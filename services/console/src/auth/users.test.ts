import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import {
  type User,
  createTokenFinder,
  hasRole,
  hasRoleEverywhere,
  hashOfToken,
  parseUsers,
  readUsers,
  roleIn,
  tenantsOf,
} from './users.js'

const HASH = hashOfToken('a token')
const INES = { name: 'ines', tokens: [HASH], roles: { acme: 'approver', '*': 'viewer' } } as const

test('a user is found by a token, and has the narrower role where a tenant is named', () => {
  const find = createTokenFinder(parseUsers({ users: [INES] }))
  assert.equal(find('another token'), undefined)
  assert.equal(find(HASH), undefined)
  const user = find('a token')
  assert.ok(user)
  assert.deepEqual([user.name, roleIn(user, 'acme'), roleIn(user, 'globex')], ['ines', 'approver', 'viewer'])
  assert.deepEqual([hasRole(user, 'acme', 'approver'), hasRole(user, 'globex', 'approver')], [true, false])
  assert.equal(tenantsOf(user), undefined)
  assert.deepEqual(tenantsOf({ name: 'x', roles: { acme: 'viewer' } }), ['acme'])
})

test('names of members of objects are no tenants', () => {
  const user = { name: 'x', roles: { acme: 'admin' } } as const
  for (const tenant of ['constructor', 'toString', '__proto__']) assert.equal(roleIn(user, tenant), undefined)
})

test('a role everywhere is one in every tenant, named or not', () => {
  const has = (roles: User['roles']) => hasRoleEverywhere({ name: 'ines', roles }, 'operator')
  assert.ok(has({ '*': 'operator' }))
  assert.ok(has({ '*': 'admin', acme: 'operator' }))
  assert.ok(!has({ '*': 'admin', acme: 'viewer' }))
  assert.ok(!has({ '*': 'approver', acme: 'admin' }))
  assert.ok(!has({ acme: 'admin', globex: 'admin' }))
})

for (const [what, document, message] of [
  ['no users', {}, /users/],
  ['a token in clear', { users: [{ ...INES, tokens: ['a token'] }] }, /expected a SHA-256 in hex/],
  ['no role', { users: [{ ...INES, roles: {} }] }, /a role in at least one tenant/],
  ['an unknown role', { users: [{ ...INES, roles: { acme: 'root' } }] }, /roles\.acme/],
  ['a bad tenant', { users: [{ ...INES, roles: { 'A b': 'viewer' } }] }, /roles/],
  ['an unknown key', { users: [{ ...INES, approves: true }] }, /approves/],
  ['a name twice', { users: [INES, { ...INES, tokens: [hashOfToken('b')] }] }, /`ines` is named twice/],
  ['a token of two users', { users: [INES, { ...INES, name: 'omar' }] }, /is of two users/],
] as const)
  test(`refuses ${what}`, () =>
    assert.throws(() => parseUsers(document), { code: 'document_invalid', message }))

test('a file may be YAML, and its name is in the error', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-users-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'users.yaml')
  await writeFile(file, `users:\n  - { name: ines, tokens: ['${HASH}'], roles: { '*': admin } }\n`)
  assert.deepEqual((await readUsers(file)).users[0]?.roles, { '*': 'admin' })
  await writeFile(file, 'users: [')
  await assert.rejects(readUsers(file), /users\.yaml/)
})
