import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { isLost } from './find-files.js'

/** Beginnings of a session after all files, and before all files. */
const LATER = Number.MAX_SAFE_INTEGER
const EARLIER = 0

const linesOf = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', folder, ...args])

function repositoryOf(context: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lost-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.join(folder, 'src'))
  for (const [name, text] of [
    ['thesis.tex', linesOf(400)],
    ['src/a.py', 'a'],
    ['src/b.py', 'b'],
  ] as const)
    writeFileSync(path.join(folder, name), text)
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'one')
  return folder
}

test('what is committed as it is can come back, loose and packed, also as a difference', (context) => {
  const folder = repositoryOf(context)
  const check = (): void => {
    for (const place of ['thesis.tex', 'src', './src/a.py', 'src/*.py', path.join(folder, 'src')])
      assert.equal(isLost(place, 'delete', folder, LATER), false, place)
  }
  check()
  appendFileSync(path.join(folder, 'thesis.tex'), 'more')
  assert.equal(isLost('thesis.tex', 'delete', folder, LATER), true)
  git(folder, 'commit', '-qam', 'two')
  git(folder, 'gc', '-q')
  check()
  git(folder, 'checkout', '-q', '--detach', 'HEAD~1')
  check()
  git(folder, 'worktree', 'add', '-q', path.join(folder, 'tree'))
  assert.equal(isLost('tree/thesis.tex', 'delete', folder, LATER), false)
})

test('what is changed, staged alone or not in Git is lost', (context) => {
  const folder = repositoryOf(context)
  writeFileSync(path.join(folder, 'src/a.py'), 'changed')
  writeFileSync(path.join(folder, 'src/staged.py'), '')
  writeFileSync(path.join(folder, 'new.py'), '')
  symlinkSync('a.py', path.join(folder, 'src/link'))
  git(folder, 'add', 'src/staged.py')
  for (const place of ['src/a.py', 'src', 'src/staged.py', 'new.py', 'src/link', '*.py'])
    assert.equal(isLost(place, 'delete', folder, LATER), true, place)
  git(folder, 'update-index', '--assume-unchanged', 'src/a.py')
  assert.equal(isLost('src/a.py', 'delete', folder, LATER), true)
  assert.equal(isLost('src/b.py', 'delete', folder, LATER), false)
})

test('a file that is an agent’s work by its name and came into being in the session is not lost', (context) => {
  const folder = repositoryOf(context)
  writeFileSync(path.join(folder, 'new.py'), '')
  assert.equal(isLost('new.py', 'work', folder, EARLIER), false)
  assert.equal(isLost('new.py', 'work', folder, LATER), true)
  assert.equal(isLost('new.py', 'delete', folder, EARLIER), true)
  assert.equal(isLost('none.py', 'work', folder, LATER), undefined)
})

test('to put a file back loses what differs from the commit, and nothing where it is not there', (context) => {
  const folder = repositoryOf(context)
  assert.equal(isLost('src/a.py', 'restore', folder, LATER), false)
  assert.equal(isLost('feature/v1.x', 'restore', folder, LATER), false)
  writeFileSync(path.join(folder, 'src/a.py'), 'changed')
  assert.equal(isLost('src/a.py', 'restore', folder, LATER), true)
  assert.equal(isLost('src', 'restore', folder, LATER), true)
  writeFileSync(path.join(folder, 'src/b.py'), 'b\r\n')
  git(folder, 'commit', '-qam', 'two')
  assert.equal(isLost('src/b.py', 'restore', folder, LATER), false)
})

test('a repository that goes too, is made up in the session or lies elsewhere brings nothing back', (context) => {
  const folder = repositoryOf(context)
  assert.equal(isLost('.git', 'delete', folder, LATER), true)
  assert.equal(isLost('src/a.py', 'delete', folder, EARLIER), true)
  for (const place of ['.', '*', './*', folder, '../x', '/etc/hosts'])
    assert.notEqual(isLost(place, 'delete', folder, LATER), false, place)
  assert.equal(isLost(path.join(folder, 'src/b.py'), 'delete', path.join(folder, 'src'), LATER), undefined)
  mkdirSync(path.join(folder, 'src/.git'))
  assert.notEqual(isLost('src/a.py', 'delete', folder, LATER), false)
  assert.equal(isLost('src', 'delete', folder, LATER), true)
})

test('objects that are cut, forged or missing say nothing for sure', (context) => {
  const folder = repositoryOf(context)
  const objects = path.join(folder, '.git/objects')
  const [blob] = String(git(folder, 'rev-parse', 'HEAD:src/a.py')).split('\n')
  const file = path.join(objects, (blob ?? '').slice(0, 2), (blob ?? '').slice(2))
  for (const bytes of ['', 'x'.repeat(500)]) {
    rmSync(file, { force: true })
    writeFileSync(file, bytes)
    assert.notEqual(isLost('src/a.py', 'delete', folder, LATER), false)
  }
})

test('a pack that is no pack says nothing for sure', (context) => {
  const folder = repositoryOf(context)
  const objects = path.join(folder, '.git/objects')
  git(folder, 'gc', '-q')
  for (const name of readdirSync(path.join(objects, 'pack')).filter((each) => /\.(?:pack|idx)$/.test(each))) {
    rmSync(path.join(objects, 'pack', name))
    writeFileSync(path.join(objects, 'pack', name), '\xfftOc\0\0\0\x02'.padEnd(4_000, '\xff'), 'latin1')
  }
  assert.notEqual(isLost('thesis.tex', 'delete', folder, LATER), false)
  writeFileSync(path.join(folder, '.git/HEAD'), 'ref: refs/heads/../../../x')
  assert.equal(isLost('src/b.py', 'delete', folder, LATER), undefined)
})
