import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { SHIPPED_ORDER_MODEL, fitting, shippedOrderModel } from '@plimsoll/labels'
import { ORDER_KINDS, fitOrderModel, parseOrderSamples } from './orders.js'

const samples = parseOrderSamples(readFileSync(new URL('../../data/orders.tsv', import.meta.url), 'utf8'))
const BYTES_MAX = 100_000

test('the model that ships is that of the lines, and small', () => {
  assert.deepEqual(
    fitOrderModel(samples),
    shippedOrderModel(),
    'fit it again: `node scripts/fit-shipped.mjs orders`',
  )
  assert.ok(statSync(SHIPPED_ORDER_MODEL).size < BYTES_MAX)
})

test('of lines that are held out, at least 45% of the acts are found, and 60% of what is found is right', () => {
  const isHeldOut = (i: number) => i % 5 === 0
  const model = fitOrderModel(samples.filter((_, i) => !isHeldOut(i)))
  let [right, wrong, missed] = [0, 0, 0]
  for (const [i, { task, orders }] of samples.entries()) {
    if (!isHeldOut(i)) continue
    const found: readonly string[] = fitting.ordersIn(task, model).acts
    right += found.filter((act) => orders.includes(act)).length
    wrong += found.filter((act) => !orders.includes(act)).length
    missed += orders.filter((act) => act !== fitting.LOOKS && !found.includes(act)).length
  }
  assert.ok(right / (right + missed) > 0.45, `${right} of ${right + missed}`)
  assert.ok(right / (right + wrong) > 0.6, `${right} of ${right + wrong}`)
})

test('a line that is none is refused by its number', () => {
  assert.deepEqual(parseOrderSamples('delete,send\tout with it\n-\tadd a test\n'), [
    { task: 'out with it', orders: ['delete', 'send'] },
    { task: 'add a test', orders: [] },
  ])
  for (const text of ['-\tok\nremove\tx', '-\tok\nno tab', '-\tok\n\tno act'])
    assert.throws(() => parseOrderSamples(text), /^Error: line 2: /)
  assert.ok(samples.every(({ orders }) => orders.every((order) => ORDER_KINDS.includes(order))))
})
