import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeCommand } from './beside-command.js'
import { labelStep } from './label-step.js'
import { SHELL } from './samples.js'

test('an environment, standard input and later commands belong to the command', () => {
  assert.equal(wholeCommand('ls', { env: { A: 'b c', '1': 'x', N: 1 } }), "A='b c' ls")
  assert.equal(
    wholeCommand('psql a', { input: 'SELECT 1' }),
    "psql a <<'END_OF_INPUT'\nSELECT 1\nEND_OF_INPUT",
  )
  assert.equal(wholeCommand('ls', { and_then: 'pwd' }), 'ls\npwd')
  assert.equal(wholeCommand('ls -l', { host: 'b.example.net' }), "ssh b.example.net 'ls -l'")
  assert.equal(wholeCommand('ls', { host: '127.0.0.1' }), undefined)
  assert.equal(wholeCommand('npm test', { machine: 'main' }), undefined)
  assert.equal(wholeCommand('ls', { description: 'rm -rf', timeout: 5, is_input: 'false' }), undefined)
})

test('what stands beside a command counts like the command', () => {
  const step = (args: Readonly<Record<string, unknown>>) => labelStep('bash', args, SHELL, undefined)
  assert.equal(step({ command: 'psql prod', input: 'DROP TABLE users;' }).signals.doesDelete, 1)
  assert.equal(step({ command: 'ls', after: 'rm -rf /srv/data' }).signals.doesDelete, 1)
  assert.equal(step({ command: 'ls', env: { LD_PRELOAD: '/tmp/x.so' } }).labels.capability, 'execute')
  assert.equal(step({ command: 'ls', env: { LANG: 'C' } }).labels.capability, 'read')
})
