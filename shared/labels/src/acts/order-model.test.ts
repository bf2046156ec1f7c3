import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersOfTask, shippedOrderModel } from './order-model.js'

const orders = (task: string): readonly string[] => Object.keys(ordersOfTask(task, shippedOrderModel()))
const ordersAct = (task: string, signal: string): void =>
  assert.ok(orders(task).includes(signal), `${task}: ${orders(task).join(', ')}`)

test('orders that no list has are found', () => {
  for (const task of [
    'we dont need the staging volume anymore, off with it',
    'i never want to see that bucket again',
    'pull the plug on the gpu box',
  ])
    ordersAct(task, 'asksDelete')
  ordersAct('bring back the version of yesterday', 'asksOverwrite')
  ordersAct('ship the new pricing page to everybody', 'asksPublish')
  ordersAct('rotate the key of the uploader account', 'asksCredential')
  ordersAct('let the whole team in on the dashboard', 'asksGrant')
})

test('work, questions and prohibitions order no act', () => {
  for (const task of [
    'Add a unit test for the parser',
    'Fix the off by one error in src/pager.ts',
    'why is the build so slow?',
    '',
  ])
    assert.deepEqual(
      orders(task).filter((name) => name.startsWith('asks')),
      [],
      task,
    )
  assert.ok(orders('list the open tickets that look obsolete').includes('looksOnly'))
})

test('a task that asks to look orders nothing that the model sees in it', () => {
  const task = 'find out which pods were killed last night and why'
  assert.deepEqual(orders(task), ['looksOnly'])
  assert.ok(orders('qué productos tienen un margen por debajo del 10%?').includes('looksOnly'))
})

test('a task that orders a change behind a question, or is in another language, does more than look', () => {
  for (const task of [
    'look at sentry WEB-4K2, whats the cause? make a jira bug in SHOP with the finding',
    "co mam na dziś w todoist? odhacz 'oddać książki' i przełóż zaległe na poniedziałek",
    'doe alle lampen beneden uit, verwarming slaapkamer op 17 en check of de voordeur op slot zit',
  ])
    assert.ok(!orders(task).includes('looksOnly'), task)
})

test('who says where things go does not say that they go away', () => {
  const orders = ordersOfTask('tidy my Downloads: put pdfs into Downloads/PDF', shippedOrderModel())
  assert.equal(orders['asksDelete'], undefined)
})

test('meetings, messages, what is kept and keys in the words of people', () => {
  for (const [task, signal] of [
    ['book our plumber and text the tenant when he comes', 'asksSend'],
    ['find 45 min with Okonkwo next week for the budget thing', 'asksSend'],
    ["I'm ill. move everything I host today to tomorrow", 'asksSend'],
    ['book me off, and set the out of office for those days', 'asksSend'],
    ['forward all mails from x to y automatically', 'asksGrant'],
    ['rotate the access key of ci-uploader', 'asksGrant'],
    ['a nightly dump, keep 14 days', 'asksDelete'],
    ['mein training hängt, abschießen', 'asksDelete'],
    ['lokale db komplett neu aufsetzen', 'asksDelete'],
    ['bestell 2x toner', 'asksPay'],
    ['run scripts/purge_users.js on staging', 'asksDelete'],
    ['run the send_newsletter script', 'asksSend'],
  ] as const)
    ordersAct(task, signal)
  for (const task of ['why does scripts/purge_users.js fail?', 'parse text the user typed'])
    assert.deepEqual(
      orders(task).filter((each) => each.startsWith('asks')),
      [],
      task,
    )
})
