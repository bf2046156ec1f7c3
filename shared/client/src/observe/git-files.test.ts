import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createGitFiles } from './git-files.js'

/** What Git can bring back, in a repository of Git itself. */
let folder: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'plimsoll-git-'))
  git('init', '-q')
  for (const file of ['lib/a.csv', 'lib/deep/b.ts', 'other/c.ts', 'other/d.ts', 'mixed/e.ts', 'äö/f ä.txt'])
    write(file, `the text of ${file}\n`)
  write('long.txt', 'x'.repeat(200_000))
  symlinkSync('lib', path.join(folder, 'link'))
  symlinkSync('/', path.join(folder, 'root'))
  git('add', '.')
  git('commit', '-qm', 'all')
})
after(() => rmSync(folder, { recursive: true, force: true }))

const keeps = (...files: string[]) => {
  const canRestore = createGitFiles()
  return files.map((file) => canRestore(path.join(folder, file), folder))
}

test('files that are tracked and unchanged can be had back, and folders of such files', () => {
  assert.deepEqual(keeps('lib/a.csv', 'lib', 'lib/deep', 'äö/f ä.txt', 'long.txt'), [
    true,
    true,
    true,
    true,
    true,
  ])
})

test('what is changed, untracked, ignored, missing or a link cannot', () => {
  write('other/c.ts', 'changed\n')
  write('mixed/new.ts', 'never added\n')
  assert.deepEqual(
    keeps('other/c.ts', 'other', 'mixed/new.ts', 'mixed', 'nowhere', 'link', 'root', '.git', '.', '..'),
    Array.from({ length: 10 }, () => false),
  )
  assert.deepEqual(keeps('other/d.ts', 'mixed/e.ts'), [true, true])
})

test('what is added counts at once, and what is taken out of the index no more', () => {
  const canRestore = createGitFiles()
  const file = path.join(folder, 'mixed/new.ts')
  assert.equal(canRestore(file, folder), false)
  git('add', 'mixed/new.ts')
  assert.equal(canRestore(file, folder), true)
  git('rm', '-q', '--cached', 'mixed/new.ts')
  assert.equal(canRestore(file, folder), false)
})

test('an index of another format, a cut one and a folder without a repository know nothing', () => {
  const file = path.join(folder, 'lib/a.csv')
  git('update-index', '--index-version', '4')
  assert.equal(createGitFiles()(file, folder), false)
  git('update-index', '--index-version', '2')
  assert.equal(createGitFiles()(file, folder), true)
  const index = path.join(folder, '.git/index')
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('DIRC'),
    Buffer.alloc(4_096, 0xff),
    Buffer.from('DIRC\0\0\0\x02\xff\xff\xff\xff'),
  ]) {
    writeFileSync(index, bytes)
    assert.equal(createGitFiles()(file, folder), false)
  }
  assert.equal(createGitFiles()('/nowhere/a/b', '/nowhere/a'), false)
})
