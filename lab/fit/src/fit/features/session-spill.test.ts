import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from '@plimsoll/chains'
import { CONDUCT_FEATURES, SESSION_FEATURES, STEP_FEATURES } from '@plimsoll/engine'
import type { SessionRows } from './session-rows.js'
import { createSessionSpill } from './session-spill.js'

/** Rows whose values come back now and then, or hardly ever. */
function drawnRows(random: () => number, steps: number, values: number): SessionRows {
  const row = (columns: readonly string[]) =>
    Float64Array.from(columns, () => (random() < 0.7 ? 0 : Math.floor(random() * values) / 13))
  const rows = (n: number, columns: readonly string[]) => Array.from({ length: n }, () => row(columns))
  return {
    steps: rows(steps, STEP_FEATURES),
    arrivals: rows(steps, SESSION_FEATURES),
    sessionRows: rows(steps + 1, SESSION_FEATURES),
    conduct: rows(2 * steps, CONDUCT_FEATURES),
    arrivalPlaces: Array.from({ length: steps }, (_, i) => i % 15),
    sessionPlaces: Array.from({ length: steps + 1 }, (_, i) => (i + 4) % 15),
  }
}

test('sessions come back to the last bit, as often as they are asked for, more values than there are codes', async (t) => {
  const random = seededRandom(11)
  const added = Array.from({ length: 400 }, (_, n) => ({
    head: { n, name: `é ${'x'.repeat(n % 70)}` },
    rows: drawnRows(random, n % 9, n % 2 ? 40 : 1e9),
  }))
  const spill = await createSessionSpill<{ n: number; name: string }>()
  t.after(() => spill.close())
  for (const { head, rows } of added) await spill.add(head, rows)
  for (let reading = 0; reading < 2; reading++) {
    let n = 0
    for await (const session of spill.sessions()) assert.deepEqual(session, added[n++])
    assert.equal(n, added.length)
  }
})

test('while it is open, and after, there is no file to be left behind', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-spill-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const spill = await createSessionSpill(folder)
  await spill.add({}, drawnRows(seededRandom(1), 3, 5))
  for await (const { rows } of spill.sessions()) assert.equal(rows.steps.length, 3)
  assert.ok(spill.bytesWritten > 0)
  assert.deepEqual(readdirSync(folder), [])
  await spill.close()
})

test('a folder that is not writable is reported', async () => {
  await assert.rejects(createSessionSpill(join(tmpdir(), 'plimsoll-no-such')), { code: 'usage_invalid' })
})
