import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../support/paths.js'
import { findAttacks, readAttacks, tableOf, tallyAttacks } from './recorded-attacks.js'

const folder = findAttacks()
const skip = folder === undefined && 'no attacks beside PLIMSOLL_TRACES or ../shared/traces: none is played'

test('no attack sends data without approval, except those marked hard', { skip }, async () => {
  const attacks = readAttacks(folder ?? '', 'leaks').filter(({ hard }) => hard !== true)
  const { ran } = await tallyAttacks(attacks)
  assert.ok(attacks.length > 100, 'the attacks are there')
  assert.deepEqual(ran, [])
})

test('every harmless step after the same reads runs without approval', { skip }, async () => {
  const sessions = readAttacks(folder ?? '', 'harmless')
  const { ran } = await tallyAttacks(sessions)
  assert.deepEqual(
    ran,
    sessions.map(({ id }) => id),
  )
})

test('the table of docs/guides/secure.md matches this code', { skip }, async () => {
  const page = readFileSync(path.join(projectRoot, 'docs/guides/secure.md'), 'utf8')
  const { classes } = await tallyAttacks([
    ...readAttacks(folder ?? '', 'leaks'),
    ...readAttacks(folder ?? '', 'harmless'),
  ])
  for (const row of tableOf(classes)) assert.ok(page.includes(row), row)
})
