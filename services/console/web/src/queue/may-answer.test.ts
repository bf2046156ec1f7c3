import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Me } from '../../../src/api.js'
import { whyNot } from './may-answer.js'

const me = (roles: Me['roles'], answers = true): Me => ({ name: 'ann', roles, answers, expiresAt: 0, now: 0 })

test('who may answer, by tenant', () => {
  assert.equal(whyNot(me({ '*': 'approver' }), 'a'), undefined)
  assert.equal(whyNot(me({ a: 'admin' }), 'a'), undefined)
  assert.match(whyNot(me({ '*': 'admin', a: 'viewer' }), 'a') ?? '', /role approver/)
  assert.match(whyNot(me({ b: 'admin' }), 'a') ?? '', /role approver/)
  assert.match(whyNot(me({ b: 'admin' }), 'constructor') ?? '', /role approver/)
  assert.match(whyNot(me({ '*': 'admin' }, false), 'a') ?? '', /no signing key/)
})
