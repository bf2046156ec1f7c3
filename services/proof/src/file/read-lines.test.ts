import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { LINE_BYTES_MAX, type Line, readLines } from './read-lines.js'

async function linesOf(t: TestContext, content: string | Buffer): Promise<readonly Line[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-lines-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'file')
  await writeFile(file, content)
  const lines: Line[] = []
  for await (const line of readLines(file)) lines.push(line)
  return lines
}

test('lines have their numbers and ends; the last may be unfinished', async (t) => {
  assert.deepEqual(await linesOf(t, ''), [])
  assert.deepEqual(
    (await linesOf(t, 'a\n\nbé\nc')).map(({ number, text, isWhole, end }) => [number, text, isWhole, end]),
    [
      [1, 'a', true, 2],
      [2, '', true, 3],
      [3, 'bé', true, 7],
      [4, 'c', false, 8],
    ],
  )
})

test('lines across chunks are whole, and a byte-order mark is part of a line', async (t) => {
  const long = 'x'.repeat(700_000)
  const lines = await linesOf(t, `${long}\n\ufeffshort\n${long}\n`)
  assert.deepEqual(
    lines.map(({ text }) => text),
    [long, '\ufeffshort', long],
  )
})

test('what is not UTF-8 has no text, and reading ends at a line that is too long', async (t) => {
  const long = Buffer.alloc(LINE_BYTES_MAX + 1, 'x')
  const lines = await linesOf(
    t,
    Buffer.concat([Buffer.of(0xff, 10), Buffer.from('next\n'), long, Buffer.from('\nlast\n')]),
  )
  assert.deepEqual(
    lines.map(({ text, isTooLong, isWhole }) => [text, isTooLong, isWhole]),
    [
      [undefined, false, true],
      ['next', false, true],
      [undefined, true, false],
    ],
  )
})
