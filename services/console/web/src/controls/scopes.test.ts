import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ControlSetting, Me } from '../../../src/api.js'
import { inForceFor, scopeWords, whyNoChange } from './scopes.js'

const set = (setting: ControlSetting['setting'], scope: object = {}): ControlSetting => ({
  setting,
  ...scope,
  by: 'ines',
  at: 0,
})
const me = (roles: Me['roles']): Me => ({ name: 'ines', roles, answers: true, expiresAt: 0, now: 0 })

test('the most specific mode counts: an agent of a tenant, an agent, a tenant, the fleet', () => {
  const all = [
    set('observe'),
    set('enforce', { tenant: 'acme' }),
    set('observe', { agent: 'mailer' }),
    set('enforce', { tenant: 'acme', agent: 'mailer' }),
  ]
  const modeOf = (scope: object, among = all) => inForceFor(among, scope).mode
  assert.equal(modeOf({ tenant: 'acme', agent: 'mailer' }), all[3])
  assert.equal(modeOf({ tenant: 'acme', agent: 'mailer' }, all.slice(0, 3)), all[2])
  assert.equal(modeOf({ tenant: 'globex', agent: 'mailer' }), all[2])
  assert.equal(modeOf({ tenant: 'acme', agent: 'other' }), all[1])
  assert.equal(modeOf({ tenant: 'globex' }), all[0])
  assert.equal(modeOf({}), all[0])
  assert.equal(modeOf({}, []), undefined)
})

test('a stop of the fleet counts for each tenant, and one of a tenant for it alone', () => {
  const [fleet, acme] = [set('stop'), set('stop', { tenant: 'acme' })]
  assert.equal(inForceFor([acme], { tenant: 'acme', agent: 'mailer' }).stop, acme)
  assert.equal(inForceFor([acme, fleet], { tenant: 'acme' }).stop, fleet)
  assert.equal(inForceFor([acme], { tenant: 'globex' }).stop, undefined)
  assert.equal(inForceFor([acme], {}).stop, undefined)
})

test('who may change what, by tenant', () => {
  const may = (roles: Me['roles'], scope: object) => whyNoChange(me(roles), {}, scope) === undefined
  assert.ok(may({ acme: 'operator' }, { tenant: 'acme' }))
  assert.ok(!may({ acme: 'approver' }, { tenant: 'acme' }))
  assert.ok(!may({ '*': 'admin', acme: 'viewer' }, { tenant: 'acme' }))
  assert.ok(!may({ globex: 'admin' }, { tenant: 'constructor' }))
  assert.ok(may({ '*': 'operator' }, { agent: 'mailer' }))
  assert.ok(!may({ '*': 'admin', acme: 'viewer' }, {}))
  assert.ok(!may({ acme: 'admin' }, {}))
  assert.match(whyNoChange(me({ '*': 'admin' }), { problem: 'no key' }, {}) ?? '', /no key/)
})

test('a scope in words, with hidden characters visible', () => {
  assert.equal(scopeWords({}), 'the fleet')
  assert.equal(scopeWords({ tenant: 'acme', agent: 'mailer' }), 'agent mailer of tenant acme')
  assert.doesNotMatch(scopeWords({ agent: 'a\u202Eb' }), /\u202E/)
})
