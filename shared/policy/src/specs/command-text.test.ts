import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ArgumentReading } from '@plimsoll/contracts'
import { type TextSide, commandsOf, readTruth } from './command-text.js'
import { compileExpression } from './expressions.js'

const isCommand = commandsOf(undefined)
const read = (where: string, command: unknown, side: TextSide) =>
  readTruth(compileExpression(where), { command }, side, isCommand)

const DOWN = "args.command.startsWith('docker compose down')"
const DESTROY = "args.command.startsWith('terraform destroy')"

/** What follows, or stands before, an allowed command, and is another one. */
const ADDED = [
  'docker compose down; terraform destroy',
  'docker compose down && terraform destroy',
  'docker compose down || terraform destroy',
  'docker compose down | terraform destroy',
  'docker compose down\nterraform destroy',
  'docker compose down & terraform destroy',
  'docker compose down $(terraform destroy)',
  'docker compose down "$(terraform destroy)"',
  'docker compose down `terraform destroy`',
  'docker compose down <(terraform destroy)',
  'docker compose down >(terraform destroy)',
  'docker compose down | xargs terraform destroy',
  'docker compose down; sh -c "terraform destroy"',
  'docker compose down; env X=1 terraform destroy',
  'docker compose down; sudo terraform destroy',
  'docker compose down; "terraform" destroy',
  'docker compose down; (terraform destroy)',
  'docker compose down; { terraform destroy; }',
  'docker compose down; if true; then terraform destroy; fi',
  'docker compose down; eval "terraform destroy"',
]

test('a condition that lifts needs its text in every command that does more than look', () => {
  for (const command of ADDED) {
    assert.equal(read(DOWN, command, 'lifts'), false, command)
    assert.equal(read("args.command.contains('docker compose down')", command, 'lifts'), false, command)
  }
  for (const command of [
    'terraform destroy # docker compose down',
    'terraform destroy "docker compose down"',
    "sh -c 'docker compose down; terraform destroy'",
    'docker compose down > ~/.bashrc',
    'docker() { terraform destroy; }; docker compose down',
    'alias docker=terraform; docker compose down',
    'X=1; docker compose down; $X',
    'cat x | sh; docker compose down',
    'docker compose down; (',
    'rm -rf ~/photos docker compose down -v',
    '/tmp/evil/docker compose down',
    'PATH=/tmp/evil docker compose down -v',
    'DOCKER_HOST=ssh://prod docker compose down',
    'for PATH in /tmp/evil; do docker compose down -v; done',
    'printf -v PATH /tmp/evil; docker compose down',
    'wait -p PATH; docker compose down',
    'getopts a PATH; docker compose down',
    'let PATH=1; docker compose down',
    'pushd /prod && docker compose down',
  ])
    assert.equal(read("args.command.contains('docker compose down')", command, 'lifts'), false, command)
})

test('commands that only look do not stand in the way', () => {
  for (const command of [
    'docker compose down',
    'docker compose down -v --remove-orphans',
    'cd app && docker compose down',
    'docker compose down 2>&1 | tail -5',
    'docker compose down; docker compose down -v; echo done',
    'docker compose down "my app"',
  ])
    assert.equal(read(DOWN, command, 'lifts'), true, command)
  const script = "args.command[2].startsWith('docker compose down')"
  assert.equal(read(script, ['bash', '-lc', 'cd app && docker compose down'], 'lifts'), true)
  assert.equal(read(script, ['bash', '-lc', 'docker compose down; terraform destroy'], 'lifts'), false)
  assert.equal(
    read(`${DOWN} && !args.command.contains('-v')`, 'docker compose down; docker compose down -v', 'lifts'),
    false,
  )
  const soft = "args.command.startsWith('git push') && !args.command.contains('--force')"
  assert.equal(read(soft, 'git push origin x', 'lifts'), true)
  for (const command of ['git push --fo"rce"', "git push '--force'", 'git push --f\\orce'])
    assert.equal(read(soft, command, 'lifts'), false, command)
  const set = 'X=1 docker compose down'
  assert.equal(read(`args.command.contains('${set}')`, set, 'lifts'), true)
  assert.equal(read(`args.command.contains('${set}')`, `Y=2 ${set}`, 'lifts'), false)
  assert.equal(read("!args.command.contains('prod')", 'docker compose down', 'lifts'), false)
  // A text that is compared as a whole was written as a whole.
  assert.equal(read("args.command == 'npm ci && npm test'", 'npm ci && npm test', 'lifts'), true)
  assert.equal(read("args.command in ['a; b', 'c']", 'a; b', 'lifts'), true)
  assert.equal(read("args.command in ['a; b', 'c']", 'a; b; d', 'lifts'), false)
})

test('a condition against the session finds its text in any command, however it is spelt', () => {
  for (const command of [...ADDED, '/usr/bin/terraform destroy'])
    assert.equal(read(DESTROY, command, 'against'), true, command)
  const script = "args.command[2].startsWith('terraform destroy')"
  assert.equal(read(script, ['/bin/sh', '-c', 'cd x; terraform destroy'], 'against'), true)
  assert.equal(read(script, ['sh', '-c', 'cd x; terraform plan'], 'against'), false)
  assert.equal(read("args.command == 'terraform destroy'", 'cd x && terraform destroy', 'against'), true)
  assert.equal(
    read(
      "args.command.contains('git push') && !args.command.contains('--dry-run')",
      'git push; echo --dry-run',
      'against',
    ),
    true,
  )
  for (const command of [
    'docker compose down',
    'echo "run terraform destroy by hand"',
    'terraform plan',
    '(',
  ])
    assert.equal(read(DESTROY, command, 'against'), false, command)
  assert.equal(read(DESTROY, Array.from({ length: 300 }, (_, i) => `t${i}`).join(';'), 'against'), null)
})

test('of a command line of PowerShell, what a POSIX shell may read otherwise lifts nothing', () => {
  const expression = compileExpression(DOWN)
  const lifts = (command: string) => readTruth(expression, { command }, 'lifts', () => 'powershell')
  assert.equal(lifts('docker compose down -v'), true)
  assert.equal(lifts('cd app; docker compose down'), true)
  for (const command of [
    'docker compose down "a\\"; Remove-Item x; echo \\"b"',
    'docker compose down `"; Remove-Item x',
    'docker compose down @(Remove-Item x)',
    'docker compose down {Remove-Item x}',
    'docker compose down # `\nRemove-Item x',
    "docker compose down 'a\u2018; Remove-Item x; \u2018b'",
    "docker compose down --% ' | Remove-Item x; '",
    "docker compose down <# ' #> ; Remove-Item x <# ' #>",
  ])
    assert.equal(lifts(command), false, command)
})

test('what counts for the session is in one command as it is written', () => {
  const tested = "args.command.contains('npm test')"
  assert.equal(read(tested, 'npm ci && npm test', 'for'), true)
  for (const command of ['true # npm test', 'sh -c "npm test"', '('])
    assert.equal(read(tested, command, 'for'), false, command)
})

test('only arguments that are command lines are split', () => {
  const entry = (name: string, as: ArgumentReading) =>
    commandsOf({
      tools: ['t'],
      labels: { capability: 'execute', reversibility: 'irreversible' },
      arguments: [{ in: name, as }],
    })
  assert.equal(entry('line', 'shell')('line'), true)
  assert.equal(entry('command', 'sql')('command'), false)
  assert.equal(entry('line', 'sql')('command'), true)
  assert.equal(isCommand('query'), false)
  const expression = compileExpression("args.note.startsWith('b')")
  assert.equal(readTruth(expression, { note: 'a; b' }, 'against', isCommand), false)
  assert.equal(readTruth(expression, { note: 'b; a' }, 'lifts', isCommand), true)
  assert.equal(readTruth(expression, {}, 'lifts', isCommand), null)
})
