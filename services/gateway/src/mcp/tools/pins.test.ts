import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { createFilePins, createMemoryPins, pinsOf } from './pins.js'

const PINS = pinsOf([{ name: 'send', inputSchema: { type: 'object' } }], 7)

async function fileFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pins-'))
  t.after(() => rm(folder, { recursive: true }))
  return path.join(folder, 'pins.json')
}

test('keeps pins, in memory and in a file that others write', async (t) => {
  const file = await fileFor(t)
  for (const store of [createMemoryPins(), createFilePins(file)]) {
    assert.equal(await store.of('mail'), undefined)
    await store.put('mail', PINS)
    assert.deepEqual(await store.of('mail'), PINS)
    assert.equal(await store.of('constructor'), undefined)
  }
  const other = createFilePins(file)
  assert.deepEqual(await other.of('mail'), PINS)
  await createFilePins(file).put('mail', {})
  assert.deepEqual(await other.of('mail'), {})
})

test('concurrent writes lose nothing', async (t) => {
  const store = createFilePins(await fileFor(t))
  const names = Array.from({ length: 10 }, (_, at) => `server-${at}`)
  await Promise.all(names.map((name) => store.put(name, PINS)))
  for (const name of names) assert.deepEqual(await store.of(name), PINS)
})

test('refuses a file without pins instead of treating it as empty', async (t) => {
  const file = await fileFor(t)
  for (const text of [
    '',
    '{',
    '[]',
    '{"schema":2}',
    '{"schema":1,"kind":"plimsoll.mcp-pins","servers":{"a":{"b":{}}}}',
  ]) {
    await writeFile(file, text)
    await assert.rejects(createFilePins(file).of('a'), { code: 'document_invalid' })
    await assert.rejects(createFilePins(file).put('a', PINS), { code: 'document_invalid' })
    assert.equal(await readFile(file, 'utf8'), text)
  }
})
