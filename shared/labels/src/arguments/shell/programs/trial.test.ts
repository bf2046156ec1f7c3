import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrial } from './trial.js'

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
