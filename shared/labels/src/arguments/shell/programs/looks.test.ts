import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrial, onlyChecks, onlyLooks } from './looks.js'

const looks = (command: string): boolean => {
  const [name = '', ...args] = command.split(' ')
  return onlyLooks({ name, args })
}

test('programs that mostly change something look by some words', () => {
  for (const command of [
    'iptables -S INPUT',
    'nginx -t',
    'zpool status tank',
    'bin/rails db:migrate:status',
    'php artisan route:list',
    'heroku config -a x',
    'fly apps list',
    'nodetool tablestats telemetry',
  ])
    assert.ok(looks(command), command)
  for (const command of [
    'iptables -F',
    'nginx -s stop',
    'zpool destroy tank',
    'bin/rails db:migrate',
    'php artisan migrate',
    'heroku config:set A=b',
    'fly apps destroy web',
    'railway variables --set A=b',
    'ls',
  ])
    assert.ok(!looks(command), command)
})

test('a trial says so by an option, a plan by its name', () => {
  for (const [name, ...args] of [
    ['cargo', 'publish', '--dry-run'],
    ['kubectl', 'delete', '--dry-run=client'],
    ['terraform', 'plan', '-destroy'],
    ['ansible-playbook', 'a.yml', '--check'],
    ['Remove-Item', '-WhatIf'],
  ] as const)
    assert.ok(isTrial({ name, args }), name)
  for (const [name, ...args] of [
    ['kubectl', 'delete', '--dry-run=none'],
    ['terraform', 'apply'],
    ['twine', 'upload'],
  ] as const)
    assert.ok(!isTrial({ name, args }), name)
})

test('dry runs of Windows and make, and interpreters that only check a text', () => {
  for (const [name, ...args] of [
    ['robocopy', 'D:\\\\a', 'E:\\\\a', '/MIR', '/L'],
    ['xcopy', 'a', 'b', '/L'],
    ['make', '-n', 'distclean'],
    ['rsync', '-a', '--delete', '--list-only', 'a/', 'b/'],
  ] as const)
    assert.ok(isTrial({ name, args: [...args] }), name)
  assert.ok(!isTrial({ name: 'robocopy', args: ['D:\\\\l', 'E:\\\\l', '/MIR'] }))
  for (const [name, ...args] of [
    ['bash', '-n', 'a.sh'],
    ['sh', '-xn', 'a.sh'],
    ['node', '--check', 'a.mjs'],
    ['php', '-l', 'a.php'],
    ['python3', '-m', 'py_compile', 'a.py'],
  ] as const)
    assert.ok(onlyChecks({ name, args: [...args] }), name)
  for (const [name, ...args] of [
    ['bash', 'a.sh', '-n'],
    ['bash', '-x', 'a.sh'],
    ['perl', '-e', 'x'],
    ['python3', 'a.py'],
  ] as const)
    assert.ok(!onlyChecks({ name, args: [...args] }), name)
})
