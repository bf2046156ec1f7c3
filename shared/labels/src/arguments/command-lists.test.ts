import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLinesOf } from './command-lists.js'
import { labelStep } from './label-step.js'
import { SHELL } from './samples.js'
import { ownName } from './shell/own-folders.js'

test('a list is the words of one command, several command lines, or both where it may be either', () => {
  const rows: readonly [list: readonly unknown[], name: string, lines: readonly string[]][] = [
    [['ls', '-la'], 'command', ['ls -la']],
    [['bash', '-lc', 'cd app && npm test'], 'command', ["bash -lc 'cd app && npm test'"]],
    [['git', 'commit', '-m', 'rm -rf the old code'], 'command', ["git commit -m 'rm -rf the old code'"]],
    [['python', 'x.py', 'find the bug'], 'command', ["python x.py 'find the bug'"]],
    [['echo', 'rm -rf x'], 'command', ["echo 'rm -rf x'"]],
    [['cd app', 'npm test'], 'command', ['cd app', 'npm test']],
    [['ls', 'npm publish'], 'command', ["ls 'npm publish'", 'ls', 'npm publish']],
    [['ls', 'npm publish'], 'commands', ['ls', 'npm publish']],
    [['echo', 'rm -rf x'], 'commands', ['echo', 'rm -rf x']],
    [['rm', '-rf', 'x'], 'commands', ['rm -rf x', 'rm', '-rf', 'x']],
    [['ls', { command: 'rm', args: ['-rf', 'a b'] }], 'commands', ['ls', "rm -rf 'a b'"]],
    [[['ls'], ['npm', 'publish']], 'command', ['ls', 'npm publish']],
    [['ls'], 'commands', ['ls']],
  ]
  assert.deepEqual(
    rows.map(([list, name]) => [list, name, commandLinesOf(list, name)]),
    rows,
  )
})

const entry = { ...SHELL, arguments: [{ in: 'commands', as: 'shell' as const }] }
const things = (commands: readonly unknown[]): readonly (string | undefined)[] =>
  labelStep('run_commands', { commands }, entry, undefined).objects.map(({ thing }) => thing)

test('each command line is read by itself, whatever an earlier one leaves open', () => {
  for (const first of ['ls', "echo 'a", 'cat <<EOF', 'echo \\', 'if true', 'f() {', '# x'])
    assert.ok(things([first, 'rm -rf ~/Documents']).includes('~/Documents'), first)
})

test('a folder that a command line enters does not make what the next one deletes scratch', () => {
  assert.deepEqual(things(['cd /tmp/x', 'rm -rf src']), ['src'])
  const { objects } = labelStep(
    'run_commands',
    { commands: ['mkdir t && cd t', 'rm -rf src'] },
    entry,
    undefined,
  )
  assert.deepEqual(
    objects.map(({ own }) => own),
    [[ownName('src')]],
  )
})

test('command lines that are too long together are not read', () => {
  const { signals } = labelStep('x', { commands: ['ls', 'a'.repeat(33_000)] }, entry, undefined)
  assert.equal(signals['unreadable'], 1)
})
