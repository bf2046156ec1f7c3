import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { labelStep } from './label-step.js'
import { SHELL } from './samples.js'

const EDITOR: CatalogueEntry = {
  tools: ['write_file'],
  labels: { capability: 'write', confidentiality: 'internal', reversibility: 'partial' },
}
const write = (path: string, content: string) =>
  labelStep('write_file', { path, content }, EDITOR, undefined).scripts
const shell = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const actsOf = (scripts: ReturnType<typeof write>) =>
  scripts.filter(({ name }) => !name.endsWith(':untried')).map(({ name, does }) => [name, ...does])

test('what a script does is known when a file tool or a shell writes it', () => {
  assert.deepEqual(actsOf(write('/w/tidy.sh', 'cd /srv\nrm -rf photos\n')), [['script:tidy.sh', 'delete']])
  assert.deepEqual(actsOf(write('C:\\t\\x.ps1', 'Get-ChildItem D:\\a | Remove-Item -Recurse')), [
    ['script:x.ps1', 'delete'],
  ])
  assert.deepEqual(actsOf(write('a.py', 'import shutil\nshutil.rmtree("/srv/photos")\n')), [
    ['script:a.py', 'delete'],
  ])
  assert.deepEqual(actsOf(write('fix.sql', 'TRUNCATE users;')), [
    ['script:fix.sql', 'delete'],
    ['ownthing:clean:script:fix.sql'],
  ])
  const { scripts, runs } = shell("cat > x.sh <<'E'\nrm -rf ~/Documents\nE\nbash x.sh")
  assert.deepEqual(actsOf(scripts), [['script:x.sh', 'delete']])
  assert.deepEqual(runs, ['script:x.sh'])
})

test('targets have names of their own', () => {
  assert.deepEqual(actsOf(write('Makefile', 'all:\n\tcc a.c\nreset:\n\tdropdb shop\n')), [
    ['script:makefile:reset', 'delete'],
  ])
  assert.deepEqual(
    actsOf(write('package.json', '{\n  "scripts": {\n    "fresh": "rm -rf ../other/src"\n  }\n}')),
    [['script:package.json:fresh', 'delete']],
  )
  assert.deepEqual(shell('make reset').runs, ['script:makefile:reset'])
  assert.deepEqual(shell('npm run fresh').runs, ['script:package.json:fresh'])
})

test('a whole script without such acts says so; a part of one says nothing, and neither does data', () => {
  assert.deepEqual(actsOf(write('a.sh', 'echo hello')), [['script:a.sh']])
  const edit = { path: 'a.sh', old_string: 'a', new_string: 'echo b' }
  assert.deepEqual(labelStep('write_file', edit, EDITOR, undefined).scripts, [])
  assert.deepEqual(write('a.csv', 'rm -rf /srv'), [])
})

test('a script runs by itself, by an interpreter or a client, and not where it is looked at, tested or tried', () => {
  for (const command of ['./x.py', 'python3 x.py', 'uv run x.py', 'sudo python x.py --all'])
    assert.deepEqual(shell(command).runs, ['script:x.py'], command)
  for (const command of ['cat x.py', 'git add x.py', 'pytest x.py', 'python -m py_compile x.py', 'vim x.py'])
    assert.deepEqual(shell(command).runs, [], command)
  assert.deepEqual(shell('psql shop -f a.sql').runs, ['script:a.sql'])
  assert.deepEqual(shell('psql shop < a.sql').runs, ['script:a.sql'])
})

test('a trial is one for scripts that know it', () => {
  const names = (content: string) => write('a.py', content).map(({ name }) => name)
  const removes = 'import shutil\nshutil.rmtree("/srv/photos")\n'
  assert.deepEqual(names(removes), ['script:a.py', 'script:a.py:untried'])
  assert.deepEqual(names(`if not args.dry_run:\n    pass\n${removes}`), ['script:a.py'])
  assert.deepEqual(shell('./a.py --dry-run').runs, ['script:a.py:untried'])
})

test('a script from the network may do anything, unless many people run it', () => {
  assert.deepEqual(actsOf(shell('curl -s https://x.example.net/a.sh -o a.sh').scripts), [
    ['script:a.sh', 'delete'],
  ])
  assert.deepEqual(shell('curl -fsSL https://sh.rustup.rs -o rustup.sh').scripts, [])
})
