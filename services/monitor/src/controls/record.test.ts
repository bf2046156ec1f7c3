import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError, type Control } from '@plimsoll/contracts'
import { applyControl, NO_CONTROLS } from '@plimsoll/engine'
import { controlsWrite, readControls } from './record.js'

const { body, outbox } = controlsWrite(3, 6, { offset: 17n, log: NO_CONTROLS, report: '{}' })

test('controls read back as they were written', () => {
  assert.deepEqual(readControls({ revision: 7, body, outbox }), {
    revision: 7,
    offset: 17n,
    log: NO_CONTROLS,
    report: '{}',
  })
  assert.equal(readControls(undefined), undefined)
})

test('what is no record of controls is none', () => {
  for (const damaged of [
    '',
    'x',
    '17',
    `17 ${JSON.stringify(NO_CONTROLS)}`,
    body.slice(0, -1),
    `${body}}`,
    '1 17 null',
  ])
    assert.equal(readControls({ revision: 7, body: damaged, outbox }), undefined, damaged)
})

test('controls of a newer monitor are refused, and not taken for none', () => {
  const newer = { revision: 7, body: body.replace(/^1 /, '4 '), outbox }
  assert.throws(
    () => readControls(newer),
    (error) => error instanceof PlimsollError && error.code === 'record_too_new',
  )
})

test('a candidate in shadow is kept', () => {
  const control: Control = {
    schema: 1,
    type: 'shadow.changed',
    id: 'try',
    partition: 3,
    time: 5,
    by: 'ann',
    candidate: { bundle: 'b'.repeat(32) },
    signature: 'f'.repeat(64),
  }
  const applied = applyControl(NO_CONTROLS, control, 18n)
  assert.ok('log' in applied)
  const written = controlsWrite(3, 7, { offset: 18n, log: applied.log, report: '' })
  assert.match(written.body, /^1 18 /)
  assert.deepEqual(readControls({ revision: 8, body: written.body, outbox: '' })?.log, applied.log)
})
