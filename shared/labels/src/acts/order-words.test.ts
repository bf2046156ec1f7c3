import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderWords, sentencesOf } from './order-words.js'
import { ordersOfTask, shippedOrderModel } from './order-model.js'
import { plainOrders } from './order-words.js'

test('sentences end at signs before space, quotations are taken out', () => {
  assert.deepEqual(sentencesOf('Fix v1.2. Then "delete all"! s3:GetObject'), [
    'fix v1.2',
    ' then  quoted ',
    ' s3:getobject',
  ])
  assert.deepEqual(sentencesOf('删除它。然后发布'), ['删除它', '然后发布'])
  assert.deepEqual(sentencesOf(' \n'), [])
})

test('words of one stem are one, numbers are one, pairs depend on the order', () => {
  const words = (text: string) => new Set(orderWords(text))
  const shared = (a: string, b: string) => [...words(a)].filter((word) => words(b).has(word)).length
  assert.ok(shared('delete', 'deleted') > 0)
  assert.deepEqual(orderWords('drop 12'), orderWords('drop 7'))
  assert.ok(shared('ship it now', 'now it ship') < words('ship it now').size)
  assert.deepEqual(orderWords('—'), [])
})

test('a huge text is read by its beginning', () => {
  const beginning = 'Delete the old copies. '
  const huge = beginning + 'publish them. '.repeat(1_000_000)
  assert.ok(sentencesOf(huge).length <= 200)
  assert.ok(orderWords('word '.repeat(1_000_000)).length < 1_000)
  assert.equal(sentencesOf(`${'.'.repeat(19_999)}x`).length, 1)
})

test('a command that is to be run, and what is needed, are orders', () => {
  assert.equal(plainOrders('run `rake db:reset` now'), 'run rake db:reset now')
  assert.equal(
    plainOrders('see whether ann is in, if not invite her'),
    'see whether ann is in, then invite her',
  )
  for (const task of ['Run npx prisma migrate reset', 'please run `terraform destroy prod-old` for me'])
    assert.equal(ordersOfTask(task, shippedOrderModel())['asksDelete'], 1, task)
})

test('quotations and conditions that say more stay', () => {
  for (const task of ['explain `rake db:reset`', 'deploy if not frozen', 'if not all tests pass tell me'])
    assert.equal(plainOrders(task), task)
  assert.equal(ordersOfTask('Run npm test and fix what fails', shippedOrderModel())['asksDelete'], undefined)
})
