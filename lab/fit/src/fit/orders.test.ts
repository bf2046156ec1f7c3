import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { ACTS, type Signals, actSignal } from '@plimsoll/contracts'
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

test('of lines that are held out, at least 45% of the acts are found, and 60% of what is found is right', (t) => {
  const isHeldOut = (i: number) => i % 5 === 0
  const model = fitOrderModel(samples.filter((_, i) => !isHeldOut(i)))
  const heldOut = samples.filter((_, i) => isHeldOut(i))
  const asked = (signals: Signals): readonly string[] =>
    ACTS.filter((act) => signals[actSignal('asks', act)] === 1)
  const ways: Readonly<Record<string, (task: string) => readonly string[]>> = {
    lists: (task) => asked(fitting.actsAsked(task)),
    model: (task) => fitting.ordersIn(task, model).acts,
    both: (task) => asked(fitting.ordersOfTask(task, model)),
  }
  const figures = (of: (typeof ways)[string], acts: readonly string[] = ACTS) => {
    let [right, found, ordered] = [0, 0, 0]
    for (const { task, orders } of heldOut) {
      const these = of(task).filter((act) => acts.includes(act))
      right += these.filter((act) => orders.includes(act)).length
      found += these.length
      ordered += orders.filter((act) => acts.includes(act)).length
    }
    return { right: right / found, found: right / ordered }
  }
  const percent = (share: number) => `${Math.round(100 * share)}%`
  for (const acts of [ACTS, ...ACTS.map((act) => [act])])
    t.diagnostic(
      `${acts.join(' ')}: ${Object.entries(ways)
        .map(([name, of]) => [name, figures(of, acts)] as const)
        .map(([name, { right, found }]) => `${name} ${percent(right)} right, ${percent(found)} found`)
        .join('; ')}`,
    )
  const { right, found } = figures(ways['model'] ?? (() => []))
  assert.ok(found > 0.45 && right > 0.6, `${right} ${found}`)
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
