import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { canGitRestore } from './git-files.js'

/** What Git can bring back, in a repository of Git itself. */
let folder: string
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
const write = (file: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  writeFileSync(path.join(folder, file), text)
}

before(() => {
  folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'plimsoll-git-')), 'repository')
  mkdirSync(folder)
  git('init', '-q')
  for (const file of ['lib/a.csv', 'lib/deep/b.ts', 'other/c.ts', 'other/d.ts', 'mixed/e.ts', 'äö/f ä.txt'])
    write(file, `the text of ${file}\n`)
  write('long.txt', 'x'.repeat(200_000))
  symlinkSync('lib', path.join(folder, 'link'))
  symlinkSync('/', path.join(folder, 'root'))
  git('add', '.')
  git('commit', '-qm', 'all')
})
after(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

const keeps = (...files: string[]) => files.map((file) => canGitRestore(path.join(folder, file), folder))

test('files that are committed and unchanged can be had back, and folders of such files', () => {
  assert.deepEqual(keeps('lib/a.csv', 'lib', 'lib/deep', 'äö/f ä.txt', 'long.txt'), [
    true,
    true,
    true,
    true,
    true,
  ])
})

test('what is changed, untracked, missing or a link cannot', () => {
  write('other/c.ts', 'changed\n')
  write('mixed/new.ts', 'never added\n')
  assert.deepEqual(
    keeps('other/c.ts', 'other', 'mixed/new.ts', 'mixed', 'nowhere', 'link', 'root', '.git', '.', '..'),
    Array.from({ length: 10 }, () => false),
  )
  assert.deepEqual(keeps('other/d.ts', 'mixed/e.ts'), [true, true])
})

test('what is added counts once it is committed', () => {
  const isKept = () => keeps('mixed/new.ts')[0]
  assert.equal(isKept(), false)
  git('add', 'mixed/new.ts')
  assert.equal(isKept(), false)
  git('commit', '-qm', 'new')
  assert.equal(isKept(), true)
})

test('no program of the configuration of the repository is run', () => {
  const ran = path.join(folder, 'ran')
  for (const name of ['core.fsmonitor', 'core.sshCommand', 'core.pager', 'core.editor'])
    git('config', name, `touch ${ran}; true`)
  git('config', 'filter.x.clean', `touch ${ran}; cat`)
  assert.deepEqual(keeps('lib'), [true])
  assert.equal(existsSync(ran), false)
})

test('a worktree and a repository of longer ids know theirs, a folder of no repository nothing', () => {
  git('worktree', 'add', '-q', path.join(folder, '../of-worktree'))
  const tree = path.join(folder, '../of-worktree')
  assert.equal(canGitRestore(path.join(tree, 'lib/a.csv'), tree), true)
  const other = path.join(folder, '../longer-ids')
  execFileSync('git', ['init', '-q', '--object-format=sha256', other])
  writeFileSync(path.join(other, 'a.txt'), 'a')
  const inOther = (...args: string[]) =>
    execFileSync('git', ['-C', other, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args])
  inOther('add', '.')
  inOther('commit', '-qm', 'a')
  assert.equal(canGitRestore(path.join(other, 'a.txt'), other), true)
  assert.equal(canGitRestore(path.join(folder, 'lib/a.csv'), path.join(folder, '..')), false)
  assert.equal(canGitRestore('/nowhere/a/b', '/nowhere/a'), false)
})
