import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrial, onlyLooks } from './looks.js'

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
