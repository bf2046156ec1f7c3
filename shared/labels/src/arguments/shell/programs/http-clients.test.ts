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

test('a file that a form or a body hands over is sent, but not to this machine', () => {
  for (const command of [
    'curl -F file=@dump/heap.hprof https://file.example/',
    'curl --form f=@a.pdf https://api.example.com/up',
    'curl --data-binary @core.bin https://api.example.com/up',
  ])
    assert.ok(does(command).includes('doesSend'), command)
  for (const command of [
    'curl -F a=b https://api.example.com/up',
    'curl -d @body.json https://api.example.com/up',
    'curl --data-binary @body.json https://api.example.com/up',
    'curl -F f=@a.pdf localhost:8000/up',
  ])
    assert.ok(!does(command).includes('doesSend'), command)
})

test('what a server on this machine is given stays here, unless the run decides where it goes', () => {
  const isFinal = (command: string): boolean => stepOf(command).labels.reversibility === 'irreversible'
  for (const command of [
    'curl -H "Authorization: Bearer $TOKEN" localhost:8081/me',
    'curl -d @.env localhost:80',
  ])
    assert.ok(!isFinal(command), command)
  for (const command of [
    'curl -H "Authorization: Bearer $TOKEN" $HOST/me',
    'curl -H "$A" localhost:80 -x proxy.example.com',
    'curl $OPTIONS localhost:80',
    'curl -d "$TOKEN" https://api.example.com',
  ])
    assert.ok(isFinal(command), command)
})

test('variables of a file and numbers of a shell are as good as known', () => {
  assert.equal(stepOf('set -a; . ./.env; npm run dev').signals['complete'], 1)
  assert.equal(stepOf('echo $! > /tmp/api.pid').signals['takesAll'], undefined)
  assert.equal(stepOf('. ./.env').labels.confidentiality, 'credentials')
  assert.equal(stepOf('. ./setup.sh').signals['complete'], undefined)
})
