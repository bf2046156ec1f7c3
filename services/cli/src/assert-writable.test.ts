import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { assertWritable } from './assert-writable.js'

test('a file that can be written is, whether or not it is there; a folder and what lies in none are not', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-writable-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const there = path.join(folder, 'there.json')
  writeFileSync(there, '')
  for (const file of [there, path.join(folder, 'new.json'), '/dev/null']) await assertWritable(file)
  for (const file of [folder, path.join(folder, 'none', 'new.json'), path.join(there, 'new.json')])
    await assert.rejects(assertWritable(file), { code: 'usage_invalid', message: /cannot be written/ }, file)
})
