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
})
