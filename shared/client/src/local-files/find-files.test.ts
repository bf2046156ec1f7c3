import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { findFiles } from './find-files.js'
import { foundSentence } from './found-sentence.js'

function folderOf(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'found-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  return folder
}

const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-C', folder, ...args])

const text = (place: string, folder: string) => {
  const found = findFiles(place, folder)
  return found && foundSentence(found)
}

test('says how many files a path or a pattern stands for, how large they are, and the first names', (context) => {
  const folder = folderOf(context, {
    'data/a.csv': 'x'.repeat(2000),
    'data/b.csv': '',
    'data/old/c.csv': 'xyz',
    'data/old/d.txt': '',
    'data/.hidden': 'x',
  })
  assert.equal(text('data', folder), '5 files, 2.0 kB (`.hidden`, `a.csv`, `b.csv`, …)')
  assert.equal(text('./data/', folder), text('data', folder))
  assert.equal(text(path.join(folder, 'data'), '/'), text('data', folder))
  assert.equal(text('data/*', folder), '4 files, 2.0 kB (`a.csv`, `b.csv`, `c.csv`, …)')
  assert.equal(text('data/*/?.csv', folder), '1 file, 3 bytes (`c.csv`)')
  assert.equal(text('*/*.csv', folder), '2 files, 2.0 kB (`a.csv`, `b.csv`)')
  mkdirSync(path.join(folder, 'empty'))
  assert.equal(text('empty', folder), 'no files in it')
})

test('says nothing where it cannot know', (context) => {
  const folder = folderOf(context, { 'data/a': '', b: '' })
  for (const place of [
    'none',
    'no*',
    '../x',
    '$HOME/x',
    'data/{a,b}',
    'data/[ab]',
    '~ann/x',
    `${'x/'.repeat(600)}y`,
  ])
    assert.equal(findFiles(place, folder), undefined, place)
  assert.equal(findFiles('data', path.join(folder, 'gone')), undefined)
  mkdirSync(path.join(folder, 'work'))
  assert.equal(findFiles(path.join(folder, 'data'), path.join(folder, 'work')), undefined)
})

test('follows no symbolic link', (context) => {
  const folder = folderOf(context, { 'real/a': 'xx', 'real/b': 'xx', 'work/c': 'x' })
  symlinkSync(path.join(folder, 'real'), path.join(folder, 'work/link'))
  symlinkSync(folder, path.join(folder, 'work/loop'))
  assert.deepEqual(findFiles('work', folder)?.names, ['c', 'link', 'loop'])
  assert.deepEqual(findFiles('work/link', folder)?.names, ['link'])
  assert.equal(findFiles('work/link/a', folder), undefined)
  assert.equal(findFiles('work/link/*', folder), undefined)
  // These mean where it leads.
  for (const place of [
    'work/link/',
    'work/link/.',
    'work/link/../work',
    'work/../work',
    `${folder}/work/link/../work`,
  ])
    assert.equal(findFiles(place, folder), undefined, place)
})

test('stops at its limits, and says so', (context) => {
  const folder = folderOf(context, {})
  mkdirSync(path.join(folder, 'many'))
  for (let i = 0; i < 2_100; i++) writeFileSync(path.join(folder, 'many', `f${i}`), '')
  assert.match(text('many', folder) ?? '', /^more than 2000 files, 0 bytes \(/)
  assert.match(text('many/*', folder) ?? '', /^more than 2000 files/)
  const deep = path.join(folder, 'deep', 'x/'.repeat(40))
  mkdirSync(deep, { recursive: true })
  writeFileSync(path.join(deep, 'end'), '')
  assert.equal(text('deep', folder), 'more than can be counted')
})

test('says which files Git has as they are, and starts no program of the repository', (context) => {
  const folder = folderOf(context, { 'src/a': 'a', 'src/b': 'b', 'src/c': 'c', '.gitignore': 'ignored\n' })
  assert.equal(findFiles('src', folder)?.inGit, undefined, 'no repository')
  git(folder, 'init', '-q')
  symlinkSync('a', path.join(folder, 'src/link'))
  git(folder, 'add', '.')
  git(folder, 'commit', '-qm', 'one')
  const trap = path.join(folder, 'trap')
  git(folder, 'config', 'core.fsmonitor', `touch ${trap}`)
  assert.equal(text('src', folder), '4 files, 4 bytes (`a`, `b`, `c`, …), in Git as now')
  writeFileSync(path.join(folder, 'src/b'), 'changed')
  writeFileSync(path.join(folder, 'src/new'), '')
  writeFileSync(path.join(folder, 'src/ignored'), '')
  assert.equal(findFiles('src', folder)?.inGit, 3)
  assert.match(text('src/new', folder) ?? '', /not in Git as now$/)
  assert.equal(findFiles('trap', folder), undefined)
  // A repository that goes with them brings nothing back.
  assert.equal(findFiles(folder, '/')?.inGit, undefined)
  mkdirSync(path.join(folder, 'src/inner'))
  git(path.join(folder, 'src/inner'), 'init', '-q')
  assert.equal(findFiles('src', folder)?.inGit, undefined)
})

test('only a repository that stays, lies here and has the content brings files back', (context) => {
  const folder = folderOf(context, { 'one/build/a': 'a', 'two/build/a': 'a', 'three/build/a': 'a' })
  const at = (name: string) => path.join(folder, name)
  git(at('one'), 'init', '-q', '--separate-git-dir', at('one/build/g'), '.')
  git(at('one'), 'add', 'build/a')
  git(at('one'), 'commit', '-qm', 'one')
  assert.equal(findFiles('build', at('one'))?.inGit, undefined, 'it goes with them')
  assert.equal(findFiles('build/a', at('one'))?.inGit, 1)
  git(at('two'), 'init', '-q', '--separate-git-dir', at('g'), '.')
  git(at('two'), 'add', '.')
  git(at('two'), 'commit', '-qm', 'one')
  assert.equal(findFiles('build', at('two'))?.inGit, undefined, 'it lies elsewhere')
  assert.equal(findFiles('two/build', folder)?.inGit, 1)
  git(at('three'), 'init', '-q')
  git(at('three'), 'add', '.')
  git(at('three'), 'commit', '-qm', 'one')
  git(at('three'), 'worktree', 'add', '-q', at('three/tree'))
  assert.equal(findFiles('tree/build', at('three'))?.inGit, 1)
  git(at('three'), 'gc', '-q')
  assert.equal(findFiles('build', at('three'))?.inGit, 1, 'in a pack')
  rmSync(at('three/.git/objects'), { recursive: true })
  mkdirSync(at('three/.git/objects/pack'), { recursive: true })
  assert.equal(findFiles('build', at('three'))?.inGit, undefined, 'its content is lost')
})

test('what is staged alone is not in Git, and a repository that cannot be read says nothing of it', (context) => {
  const folder = folderOf(context, { 'src/a': 'a' })
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  assert.equal(findFiles('src', folder)?.inGit, undefined)
  git(folder, 'commit', '-qm', 'one')
  writeFileSync(path.join(folder, 'src/b'), 'b')
  git(folder, 'add', '.')
  assert.equal(findFiles('src', folder)?.inGit, 1)
  for (const bytes of ['', 'ref: refs/heads/none', 'ref: ../../x', 'a'.repeat(40), 'x'.repeat(5_000)]) {
    writeFileSync(path.join(folder, '.git/HEAD'), bytes)
    assert.equal(findFiles('src', folder)?.inGit, undefined)
  }
})
