import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import { isKeptInGit } from './kept-in-git.js'

/** A repository with `src/a.ts` and `src/b.ts`, all committed. */
function repository(context: TestContext): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'plimsoll-git-')))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init', '-q')
  mkdirSync(path.join(folder, 'src'))
  for (const name of ['a.ts', 'b.ts']) writeFileSync(path.join(folder, 'src', name), name)
  writeFileSync(path.join(folder, '.gitignore'), '*.log\n')
  git('add', '.')
  git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-qm', 'first')
  return folder
}

test('what is committed and unchanged is kept', (context) => {
  const folder = repository(context)
  for (const given of ['src/a.ts', 'src', './src/b.ts', path.join(folder, 'src/a.ts')])
    assert.equal(isKeptInGit(folder, given), true, given)
  assert.equal(isKeptInGit(path.join(folder, 'src'), 'a.ts'), true)
})

test('a change, and a file that Git does not have, is not', (context) => {
  const folder = repository(context)
  writeFileSync(path.join(folder, 'src/a.ts'), 'changed')
  writeFileSync(path.join(folder, 'new.ts'), 'x')
  for (const given of ['src/a.ts', 'src', 'new.ts', 'missing.ts'])
    assert.equal(isKeptInGit(folder, given), false, given)
  assert.equal(isKeptInGit(folder, 'src/b.ts'), true)
})

test('a folder with an ignored or untracked file is not', (context) => {
  const folder = repository(context)
  writeFileSync(path.join(folder, 'src/run.log'), 'x')
  assert.equal(isKeptInGit(folder, 'src'), false)
  rmSync(path.join(folder, 'src/run.log'))
  mkdirSync(path.join(folder, 'src/new'))
  writeFileSync(path.join(folder, 'src/new/a'), 'x')
  assert.equal(isKeptInGit(folder, 'src'), false)
})

test('a staged file that was never committed is not', (context) => {
  const folder = repository(context)
  writeFileSync(path.join(folder, 'staged.ts'), 'x')
  execFileSync('git', ['-C', folder, 'add', 'staged.ts'])
  assert.equal(isKeptInGit(folder, 'staged.ts'), false)
})

test('a file that Git assumes unchanged is not', (context) => {
  const folder = repository(context)
  execFileSync('git', ['-C', folder, 'update-index', '--assume-unchanged', 'src/a.ts'])
  writeFileSync(path.join(folder, 'src/a.ts'), 'changed')
  assert.equal(isKeptInGit(folder, 'src/a.ts'), false)
})

test('the repository itself, its history, what lies outside of it, and what a link leads to are not', (context) => {
  const folder = repository(context)
  const other = repository(context)
  symlinkSync(other, path.join(folder, 'link'))
  for (const given of [
    '.',
    '',
    '.git',
    '.git/config',
    '..',
    other,
    path.join(other, 'src'),
    'link/src/a.ts',
    '/',
    '/etc/passwd',
  ])
    assert.equal(isKeptInGit(folder, given), false, given)
})

test('names that Git reads as patterns or options are only names', (context) => {
  const folder = repository(context)
  for (const given of ['src/*.ts', ':(glob)src/*', ':/src', '--all', '-v'])
    assert.equal(isKeptInGit(folder, given), false, given)
})

test('a folder without a repository keeps nothing', (context) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'plimsoll-plain-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(path.join(folder, 'a'), 'x')
  assert.equal(isKeptInGit(folder, 'a'), false)
  assert.equal(isKeptInGit(path.join(folder, 'none'), 'a'), false)
})
