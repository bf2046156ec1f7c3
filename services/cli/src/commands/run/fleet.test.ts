import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTenants } from './fleet.js'

test('reads tenants with commas between, and refuses what can be none', () => {
  assert.deepEqual(parseTenants(undefined), [])
  assert.deepEqual(parseTenants('acme, globex'), ['acme', 'globex'])
  for (const wrong of ['', 'Acme', 'acme,', 'a~b'])
    assert.throws(() => parseTenants(wrong), { code: 'usage_invalid', message: /--tenants/ })
})
