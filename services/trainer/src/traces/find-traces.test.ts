import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { findTraces, traceFilesIn } from './find-traces.js'

function project(t: TestContext): { root: string; beside: string } {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-find-'))
  t.after(() => rmSync(home, { recursive: true }))
  const root = join(home, 'project')
  const beside = join(home, 'shared', 'traces')
  for (const folder of [root, beside, join(root, 'shared', 'traces')]) mkdirSync(folder, { recursive: true })
  return { root, beside }
}

test("recordings are found beside the project, not in the project's own shared folder", (t) => {
  const { root, beside } = project(t)
  assert.equal(findTraces({}, root), beside)
  assert.equal(findTraces({ PLIMSOLL_TRACES: '' }, root), beside)
})

test('PLIMSOLL_TRACES goes first, and is not passed over where it is wrong', (t) => {
  const { root } = project(t)
  assert.equal(findTraces({ PLIMSOLL_TRACES: root }, '/nowhere'), root)
  assert.equal(findTraces({ PLIMSOLL_TRACES: join(root, 'no such folder') }, root), undefined)
  assert.equal(findTraces({}, '/nowhere/at/all'), undefined)
})

test('the files of a folder come by name', (t) => {
  const { root } = project(t)
  for (const name of ['b.jsonl.gz', 'a.jsonl', 'tools.json', 'README.md']) writeFileSync(join(root, name), '')
  assert.deepEqual(traceFilesIn(root), [join(root, 'a.jsonl'), join(root, 'b.jsonl.gz')])
})
