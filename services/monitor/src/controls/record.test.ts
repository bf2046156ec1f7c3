import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { NO_CONTROLS } from '@plimsoll/engine'
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
  const newer = { revision: 7, body: body.replace(/^1 /, '2 '), outbox }
  assert.throws(
    () => readControls(newer),
    (error) => error instanceof PlimsollError && error.code === 'record_too_new',
  )
})
