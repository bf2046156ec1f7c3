import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeWhole } from './write-whole.js'

test('a file takes the place of the one before it, and nothing else stays', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-write-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'bundle.json')
  for (const text of ['one', 'two']) {
    await writeWhole(file, text)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
  mkdirSync(join(folder, 'taken'))
  await assert.rejects(writeWhole(join(folder, 'taken'), 'x'), { code: 'usage_invalid' })
  await assert.rejects(writeWhole(join(folder, 'no such', 'x.json'), 'x'), { code: 'usage_invalid' })
  assert.deepEqual(new Set(readdirSync(folder)), new Set(['bundle.json', 'taken']))
  // What a link points to is no file: it is written to, and never replaced.
  symlinkSync('/dev/null', join(folder, 'nowhere'))
  await writeWhole(join(folder, 'nowhere'), 'x')
  assert.equal(readFileSync(join(folder, 'nowhere'), 'utf8'), '')
})
