import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from '../../label-step.js'
import { SHELL } from '../../samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const does = (command: string): string[] =>
  Object.keys(stepOf(command).signals).filter((name) => name.startsWith('does'))

test('HTTPie and its like: method, items and what they are fed', () => {
  for (const [act, command] of [
    ['doesDelete', 'http DELETE https://api.example.com/users/3'],
    ['doesDelete', 'https delete api.example.com/users/3'],
    ['doesOverwrite', 'xh put https://api.example.com/users/3 name=x'],
    ['doesGrant', 'http -a ann:x --check-status https://api.example.com/users/3 role=admin'],
    ['doesDelete', "http POST https://api.example.com/graphql query='mutation { deleteUser(id: 7) { id } }'"],
    [
      'doesDelete',
      `http --raw '{"query":"mutation { deleteUser(id: 7) { id } }"}' https://api.example.com/graphql`,
    ],
    [
      'doesDelete',
      `http POST https://api.example.com/graphql <<'X'\n{"query":"mutation { deleteUser(id: 7) { id } }"}\nX`,
    ],
  ] as const)
    assert.deepEqual(does(command), [act], command)
  for (const command of [
    'http PATCH :3000/users/3 role=admin',
    'http https://api.example.com/search q==role=admin',
    'http https://api.example.com/users Accept:application/json',
    'xh get https://api.example.com/users',
  ])
    assert.deepEqual(does(command), [], command)
})

test('a question of HTTPie only reads; an attached file, a session or input is not in the arguments', () => {
  const plain = stepOf('http GET https://api.example.com/users q==a')
  assert.deepEqual([plain.labels.reversibility, plain.signals.complete], ['reversible', 1])
  assert.equal(stepOf('http :8000/users name=ann').labels.capability, 'write')
  for (const command of [
    'http POST https://api.example.com/a f@data.csv',
    'http --session=ann https://api.example.com/a',
    'cat data.csv | http POST https://api.example.com/a',
    'http https://api.example.com/$x',
  ])
    assert.equal(stepOf(command).labels.reversibility, 'irreversible', command)
})
