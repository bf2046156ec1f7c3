import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlsLink, parseRoute, policyLink, questionLink, replayLink, sessionLink } from './route.js'

test('a link leads back to what it names', () => {
  const id = 'a/b#c%20"<script>'
  assert.deepEqual(parseRoute(sessionLink(id, 'a/b#1')), { view: 'session', sessionId: id, step: 'a/b#1' })
  assert.deepEqual(parseRoute(questionLink(id)), { view: 'queue', decisionId: id })
  assert.deepEqual(parseRoute(policyLink('v1', id)), { view: 'policy', version: 'v1', code: id })
  assert.deepEqual(parseRoute(replayLink(id, 'a?b&c=d#1')), {
    view: 'replay',
    sessionId: id,
    step: 'a?b&c=d#1',
  })
  assert.deepEqual(parseRoute(replayLink(id)), { view: 'replay', sessionId: id })
  assert.deepEqual(parseRoute(policyLink('v1')), { view: 'policy', version: 'v1' })
})

for (const scope of [{}, { tenant: 'acme' }, { agent: 'a/b#c' }, { tenant: 'acme', agent: 'mailer' }])
  test(`a link leads to the controls of ${JSON.stringify(scope)}`, () =>
    assert.deepEqual(parseRoute(controlsLink(scope)), { view: 'controls', scope }))

test('an address that names nothing shows the fleet', () => {
  for (const fragment of ['', '#', '#/', '#/nothing', '#/session', '#/session/', '#token=x'])
    assert.deepEqual(parseRoute(fragment), { view: 'fleet' })
  assert.deepEqual(parseRoute('#/session/%E0%A4%A'), { view: 'session', sessionId: '%E0%A4%A' })
  assert.deepEqual(parseRoute('#/session/s/'), { view: 'session', sessionId: 's' })
})
