import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as contracts from '@plimsoll/contracts'
import { tenantOf } from './tenant.js'

test("the engine's tenant of a session is the contracts'", () => {
  const names = [
    'acme',
    'a',
    '0',
    '-a',
    'a-',
    'Acme',
    'a.b',
    'a_b',
    'ä',
    '',
    ' ',
    'a'.repeat(63),
    'a'.repeat(64),
    '~',
    'default',
  ]
  const sessions = ['', '~', 'run-7', 'a~b', '~run']
  const expected = { 'acme~run-7': 'acme', 'run-7': 'default', 'Acme~run-7': 'default', '~run-7': 'default' }
  for (const [id, tenant] of Object.entries(expected)) assert.equal(tenantOf(id), tenant)
  for (const name of names)
    for (const id of [name, ...sessions.map((session) => `${name}~${session}`), `${name}\n~x`])
      assert.equal(tenantOf(id), contracts.tenantOf(id), id)
})
