import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { readJsonFile } from './json-file.js'

test('a JSON file is read as it is, or zipped beside its name', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'json-file-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const at = (name: string): URL => pathToFileURL(path.join(folder, name))
  writeFileSync(at('a.json'), '{"a":1}')
  writeFileSync(at('b.json.br'), brotliCompressSync('{"b":2}'))
  assert.deepEqual(readJsonFile(at('a.json')), { a: 1 })
  assert.deepEqual(readJsonFile(at('b.json')), { b: 2 })
  assert.deepEqual(readJsonFile(at('b.json.br')), { b: 2 })
  assert.throws(() => readJsonFile(at('c.json')), /ENOENT/)
})
