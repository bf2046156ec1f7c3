import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelStep } from './label-step.js'
import { SHELL } from './samples.js'

const stepOf = (command: string) => labelStep('bash', { command }, SHELL, undefined)
const does = (command: string): string[] =>
  Object.keys(stepOf(command).signals)
    .filter((name) => name.startsWith('does'))
    .toSorted()

const API = 'https://api.shop.example.com'

test('a request does what its method and its path say, on any host', () => {
  for (const [act, command] of [
    ['doesDelete', `curl -X DELETE ${API}/users/3`],
    ['doesDelete', `curl -X POST ${API}/users/3/deactivate`],
    ['doesOverwrite', `curl -XPUT ${API}/orders/3 -d status=closed`],
    ['doesOverwrite', `curl --request PATCH --url ${API}/orders/3 --data status=closed`],
    ['doesOverwrite', `sudo curl -X PUT ${API}/orders/3 -d '{}'`],
    ['doesOverwrite', `API=${API}; curl -X PUT "$API/orders/3" -d '{}'`],
    ['doesOverwrite', `wget --method=PATCH --body-data=a=1 ${API}/orders/3`],
    ['doesGrant', `curl -X PATCH ${API}/users/3 -d '{"role":"admin"}'`],
    ['doesGrant', `curl ${API}/orgs/1/members -d user=eve`],
    ['doesPay', `curl -X POST ${API}/v1/refunds -d amount=100`],
    ['doesPay', `curl ${API}/v1/payment_intents/pi_1/confirm -d a=1`],
    ['doesSend', `curl -T report.csv https://upload.example.net/up/`],
  ] as const)
    assert.deepEqual(does(command), [act], command)
})

test('a mutation of GraphQL does what tools of the names of its fields do', () => {
  for (const [act, command] of [
    ['doesDelete', `curl ${API}/graphql -d '{"query":"mutation { deleteUser(id: 7) { id } }"}'`],
    ['doesDelete', `curl ${API}/graphql -d @- <<'X'\n{"query":"mutation D { destroyAll }"}\nX`],
    ['doesDelete', `echo '{"query":"mutation { userDelete(id: 7) { id } }"}' | curl ${API}/graphql -d @-`],
    ['doesDelete', `gh api graphql -f query='mutation { deleteRef(input:{refId:"x"}) { ok } }'`],
    ['doesOverwrite', `curl ${API}/graphql --json '{"query":"mutation { updateUser(id: 7) { id } }"}'`],
  ] as const)
    assert.deepEqual(does(command), [act], command)
})

test('questions, servers of this machine and servers that keep nothing are not changed', () => {
  for (const command of [
    `curl ${API}/users/3`,
    `curl ${API}/users -d name=ann`,
    `curl -G ${API}/users -d role=admin`,
    `curl ${API}/graphql -d '{"query":"query { viewer { login } }"}'`,
    `curl ${API}/graphql -d '{"query":"{ mutation: users { id } }"}'`,
    `curl ${API}/graphql -d '{"query":"{ __schema { mutationType { name } } }"}'`,
    `curl -X POST ${API}/chat -d '{"messages":[{"role":"user"}]}'`,
    "gh api graphql -f query='query { viewer { login } }'",
    'curl -X PATCH http://localhost:3000/users/3 -d \'{"role":"admin"}\'',
    'curl -X POST http://web:3000/v1/refunds -d amount=1',
    'curl -X PUT http://shop.test/orders/3 -d a=1',
    'curl -X PUT http://host.docker.internal:3000/orders/3 -d a=1',
    'curl -X PUT https://httpbin.org/put -d a=1',
    'BASE=http://127.0.0.1:3000; curl -X PUT "$BASE/orders/3" -d a=1',
    'curl -X PUT "${BASE:-http://localhost:3000}/orders/3" -d a=1',
    'curl -X PUT "$BASE/orders/3" -d a=1',
    'curl http://localhost:4000/graphql -d \'{"query":"mutation { updateUser(id: 7) { id } }"}\'',
  ])
    assert.deepEqual(does(command), [], command)
})

test('a record is named by its place, not by a word of it alone where it is only changed', () => {
  const [change] = stepOf(`curl -X PUT ${API}/v1/orders/5512 -d a=1`).objects
  assert.deepEqual(
    [change?.act, change?.kind, change?.names, change?.byName],
    ['change', 'record', ['api.shop.example.com/v1/orders/5512', 'orders/5512', '5512'], true],
  )
  const [deletion] = stepOf(`curl -X DELETE ${API}/v1/orders/5512`).objects
  assert.ok(deletion?.names.includes('orders') && !deletion.byName)
})

test('a request that writes to people is a message, named by whom it goes to and what it is', () => {
  const url = `${API}/v1/scheduler/send-availability`
  assert.deepEqual(does(`curl -X POST ${url}`), ['doesSend'])
  assert.deepEqual(does(`curl -X POST ${API}/emails -d '{"to":"ann@example.org"}'`), ['doesSend'])
  assert.deepEqual(does('curl -X POST http://localhost:3000/send-availability'), [])
  const [mail] = stepOf(`curl -X POST ${url} -d '{"to":"ann@example.org"}'`).objects
  assert.equal(mail?.act, 'send')
  assert.ok(mail.names.includes('ann@example.org') && mail.names.includes('availability'))
  assert.ok(!mail.names.includes('send'))
})
