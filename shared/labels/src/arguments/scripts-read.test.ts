import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CatalogueEntry } from '@plimsoll/contracts'
import { SHELL } from './samples.js'
import { labelStep } from './label-step.js'
import { readScripts } from './scripts-read.js'

const READER: CatalogueEntry = {
  tools: ['read_file'],
  labels: { capability: 'read', confidentiality: 'internal', reversibility: 'reversible' },
}
const readsOf = (args: Readonly<Record<string, unknown>>, entry: CatalogueEntry) =>
  labelStep('tool', args, entry, undefined).reads
const printed = (command: string) => readsOf({ command }, SHELL)
const actsOf = (path: string, text: string) =>
  readScripts([path], text)
    .filter(({ name }) => !name.endsWith(':untried'))
    .map(({ name, does }) => [name, ...does])
const numbered = (text: string, sign: string): string =>
  text
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(5)}${sign}${line}`)
    .join('\n')

const TIDY = '#!/bin/bash\nset -e\nrm -rf ~/Photos/2019\n'

test('commands that print a file, as it is or in part, read it', () => {
  for (const [command, ...paths] of [
    ['cat tidy.sh', 'tidy.sh'],
    ['cd ops && cat -n ./tidy.sh | head -50', './tidy.sh'],
    ["sed -n '1,200p' a/tidy.py", 'a/tidy.py'],
    ['head -20 a.sh b.sh', 'a.sh', 'b.sh'],
    ['git show HEAD~1:ops/tidy.sh', 'ops/tidy.sh'],
    ['grep -n rm tidy.sh; tail Makefile', 'tidy.sh', 'Makefile'],
    ['cat bin/reset', 'bin/reset'],
    ['bash -c "cat tidy.sh"', 'tidy.sh'],
  ] as const)
    assert.deepEqual(printed(command), paths, command)
})

test('commands that run, list, change or compare a script, or print data, read none', () => {
  for (const command of [
    'bash tidy.sh',
    './tidy.sh',
    'ls -l tidy.sh',
    'sed -i s/a/b/ tidy.sh',
    'git diff tidy.sh',
    'git show HEAD',
    'cat notes.md',
    'grep -rn "rm -rf" --include=*.sh .',
    'cat *.sh',
    'wc -l tidy.sh',
  ])
    assert.deepEqual(printed(command), [], command)
})

test('a tool that is given the path of a script reads it, unless it runs programs', () => {
  assert.deepEqual(readsOf({ file_path: '/w/tidy.sh', limit: 20 }, READER), ['/w/tidy.sh'])
  assert.deepEqual(readsOf({ paths: ['a.py', 'b.csv'] }, READER), ['a.py'])
  assert.deepEqual(readsOf({ path: 'bin/reset' }, READER), ['bin/reset'])
  assert.deepEqual(readsOf({ query: 'reset' }, READER), [])
  assert.deepEqual(readsOf({ path: 'tidy.sh' }, { ...SHELL, arguments: [] }), [])
})

test('what a script does beyond the project is read, with numbers of lines and within JSON too', () => {
  const known = [['script:tidy.sh', 'delete']]
  for (const text of [
    TIDY,
    numbered(TIDY, '\t'),
    numbered(TIDY, '→'),
    numbered(TIDY, ' | '),
    `Here's the file:\n${numbered(TIDY, '\t')}`,
    '3:rm -rf ~/Photos/2019',
    `content: ${TIDY}`,
    JSON.stringify({ path: 'tidy.sh', content: TIDY }),
    'rm -rf "$HOME/Photos/2019"',
    'rm -rf "${HOME}"/Photos',
    `if true; then\n${TIDY}`,
  ])
    assert.deepEqual(actsOf('tidy.sh', text), known, text)
})

test('each target, and each kind of script, is read for itself', () => {
  const manifest = '{\n  "scripts": {\n    "build": "tsc",\n    "wipe": "dropdb shop"\n  }\n}'
  for (const text of [manifest, numbered(manifest, '\t')])
    assert.deepEqual(actsOf('package.json', text), [['script:package.json:wipe', 'delete']])
  assert.deepEqual(actsOf('Makefile', 'all:\n\tcc a.c\nwipe:\n\tterraform destroy\n'), [
    ['script:makefile:wipe', 'delete'],
  ])
  assert.deepEqual(actsOf('a.py', 'import shutil\nshutil.rmtree("/srv/photos")\n'), [
    ['script:a.py', 'delete'],
  ])
  assert.deepEqual(actsOf('bin/reset', TIDY), [['script:reset', 'delete']])
  assert.deepEqual(actsOf('bin/reset', 'rm -rf ~/Photos'), [])
})

test('what scripts of projects do in the project, and what only the run shows, is not known harm', () => {
  for (const text of [
    'rm -rf build dist "$TMP"\nmake\n',
    'rm -rf data\n',
    'trap \'rm -rf "$work"\' EXIT\n',
    'rm -f "$BINDIR"/*\n',
    'docker rm -f db\ndocker image rm app\nkill $PID\n',
    'git clean -fdx\n',
    'npm ci && npm test\n',
    'echo "rm -rf ~/Photos"\n',
    '# rm -rf ~/Photos\n',
    'wipe_all() {\n  rm -rf ~/Photos\n}\nlog() {\n  echo "$1"\n}\nlog done\n',
  ])
    assert.deepEqual(actsOf('tidy.sh', text), [], text)
  const source = 'def purge(path):\n    shutil.rmtree(path)\n\nDELETE = "DELETE FROM users WHERE id = 1"\n'
  assert.deepEqual(actsOf('app.py', source), [])
  assert.deepEqual(actsOf('notes.md', TIDY), [])
})

test('a function that is called counts', () => {
  assert.deepEqual(actsOf('tidy.sh', 'wipe_all() {\n  rm -rf ~/Photos\n}\nwipe_all\n'), [
    ['script:tidy.sh', 'delete'],
  ])
})

test('hostile arguments and results are read within bounds', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['path'] = cyclic
  for (const value of [
    undefined,
    null,
    1,
    {},
    cyclic,
    ['a.sh', {}],
    'a.sh'.repeat(90_000),
    '$('.repeat(2_000),
  ])
    assert.ok(readsOf({ command: value, path: value }, SHELL).length <= 4)
  const many = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`path${i}`, `${i}.sh`]))
  assert.equal(readsOf(many, READER).length, 4)
  for (const part of [
    'a() {\n',
    '{ a\n',
    '1\t',
    '"scripts": {',
    '\n}',
    '$HOME',
    'a:\n\t',
    '{"a":',
    '(',
    "'",
    '<<E\n',
  ])
    assert.ok(readScripts(['a.sh', 'a.py', 'Makefile', 'package.json'], part.repeat(30_000)).length <= 4)
})
