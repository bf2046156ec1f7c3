import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Control } from '@plimsoll/contracts'
import { changeOf, entryOf, settingsOf } from './control-entries.js'

const origin = { by: 'ines', reason: 'a drill' }

for (const [request, change] of [
  [{ action: 'stop' }, { type: 'fleet.stopped' }],
  [
    { action: 'stop', tenant: 'acme' },
    { type: 'fleet.stopped', tenant: 'acme' },
  ],
  [
    { action: 'resume', tenant: 'acme' },
    { type: 'fleet.resumed', tenant: 'acme' },
  ],
  [
    { action: 'observe', agent: 'mailer' },
    { type: 'mode.changed', mode: 'observe', agent: 'mailer' },
  ],
  [
    { action: 'inherit', tenant: 'acme', agent: 'mailer' },
    { type: 'mode.changed', mode: 'inherit', tenant: 'acme', agent: 'mailer' },
  ],
] as const)
  test(`${JSON.stringify(request)} is the change of the command line, and comes back from the audit`, () => {
    assert.deepEqual(changeOf({ ...request, reason: 'a drill' }, 'ines'), { ...change, ...origin })
    const sent = { ...change, ...origin, id: 'c-1', time: 7 } as unknown as Control
    assert.deepEqual(entryOf(sent), { ...request, ...origin, id: 'c-1', at: 7 })
  })

test('changes of versions are in the audit too', () => {
  const versions = { policy: 'a'.repeat(32) }
  const common = { ...origin, id: 'c-1', time: 7 }
  const activated = { ...common, type: 'versions.activated', versions, running: true } as Control
  assert.deepEqual(entryOf(activated), {
    ...origin,
    id: 'c-1',
    at: 7,
    action: 'activate',
    versions,
    running: true,
  })
  assert.deepEqual(entryOf({ ...common, type: 'shadow.changed' } as Control), {
    ...origin,
    id: 'c-1',
    at: 7,
    action: 'shadow',
  })
})

test('stops stand before modes; a scope has what is named', () => {
  const who = { by: 'ines', time: 7 }
  const settings = settingsOf({
    stops: [{ tenant: null, ...who }],
    modes: [{ tenant: 'acme', agent: null, mode: 'observe', ...who, reason: 'a trial' }],
  })
  assert.deepEqual(settings, [
    { setting: 'stop', by: 'ines', at: 7 },
    { setting: 'observe', tenant: 'acme', by: 'ines', at: 7, reason: 'a trial' },
  ])
})
