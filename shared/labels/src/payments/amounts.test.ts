import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyIn } from './amounts.js'
import { numberOf } from './numbers.js'
import { LEVELS_PER_TENFOLD, LEVEL_MAX, levelOf, sumsOf } from './sums.js'

test('numerals are read with the separators of their language', () => {
  for (const [numeral, value, decimals] of [
    ['1.000,50', 1000.5],
    ['1,000.50', 1000.5],
    ['1 000', 1000],
    ["1'000.00", 1000],
    ['1,00,000', 100_000],
    ['1.000.000', 1_000_000],
    ['1.000', 1000],
    ['1,000', 1000],
    ['0.125', 0.125],
    ['1.000', 1, 3],
    ['12.500', 12.5, 3],
    ['19,99', 19.99],
    ['7', 7],
    ['1234567890123456789012345', undefined],
  ] as const)
    assert.equal(numberOf(numeral, decimals), value, `${numeral} ${decimals ?? ''}`)
})

test('amounts are numbers beside a currency, a word for an amount, or an order to pay', () => {
  for (const [text, ...amounts] of [
    ['Transfer 40 EUR to Ann', [40, 'eur']],
    ['Überweise 1.000,50 € an Müller', [1000.5, 'eur']],
    ['$1,200.00', [1200, '$']],
    ['USD 12 or CAD 15', [12, '$'], [15, '$']],
    ['two hundred and fifty dollars', [250, '$']],
    ['zweihundertfünfzig Euro', [250, 'eur']],
    ['deux cents euros', [200, 'eur']],
    ['quatre-vingt euros', [80, 'eur']],
    ['doscientos euros', [200, 'eur']],
    ['3 Mio. Euro', [3_000_000, 'eur']],
    ['5万円', [50_000, 'jpy']],
    ['₹1,00,000', [100_000, 'inr']],
    ['KWD 1.250', [1.25, 'kwd']],
    ['٥٠٠ AED', [500, 'aed']],
    ['１２００ 円', [1200, 'jpy']],
    ['99 cents', [0.99, undefined]],
    ['¥5,000', [5000, undefined]],
    ['Betrag: 1240', [1240, undefined]],
    ['金額 1240', [1240, undefined]],
    ['send Bob 50', [50, undefined]],
    ['pay 50 to Bob', [50, undefined]],
    ['Pay invoice 7 of 2024-05-30 at 19:30'],
    ['ticket 4711, room 12, version 1.2.3'],
    ['a discount of 20 % in total'],
    ['order RE20241234567890'],
  ] as const)
    assert.deepEqual(
      moneyIn(text).amounts.map(({ value, currency }) => [value, currency]),
      amounts,
      text,
    )
})

test('a text bounds what is moved by its total, else by all of its amounts together', () => {
  const levelIn = (text: string, isTask = false) => sumsOf(moneyIn(text), isTask).map(({ level }) => level)
  for (const [text, value] of [
    ['20 EUR and 30 EUR', 50],
    ['pens 20 EUR\nink 30 EUR\nTotal: 50 EUR', 50],
    ['net 100 EUR, tax 19 EUR, to pay 119 EUR', 119],
    ['40 tickets at $5 each', 200],
    ['50 chairs at $80', 4000],
    ['a chair at $80', 80],
    ['40 hours at $15/hour', 600],
    ['a dozen licences for 99 dollars', 1188],
    ['12 licences for 99 dollars', 99],
    ['amount: 1240\ncurrency: EUR', 1240],
    ['the rent is 2200, and refund 10 EUR', 2200],
  ] as const)
    assert.deepEqual(levelIn(text), [levelOf(value)], text)
  assert.deepEqual(levelIn('100 USD in yen'), [levelOf(100), LEVEL_MAX])
  assert.deepEqual(levelIn('pens at $5 each'), [LEVEL_MAX])
  assert.deepEqual(levelIn('a year of the hosting, $20/month'), [LEVEL_MAX])
  assert.deepEqual(levelIn('pay the rent, it is 2200'), [])
  assert.deepEqual(levelIn('pay the rent, it is 2200', true), [LEVEL_MAX])
  assert.deepEqual(levelIn('pay the invoice by 5', true), [])
})

test('a tenfold is always as many levels, and nine times are fewer', () => {
  for (let value = 0.01; value < 1e9; value *= 1.7) {
    assert.ok(levelOf(value * 10) - levelOf(value) >= LEVELS_PER_TENFOLD, `${value}`)
    assert.ok(levelOf(value * 9) - levelOf(value) < LEVELS_PER_TENFOLD, `${value}`)
  }
})

test('a hostile text takes no longer than its length', () => {
  for (const part of ['1 ', '1.', 'a-', 'zwei', '$1', 'x' + '1'.repeat(15), 'one hundred ', "a'"]) {
    const { amounts } = moneyIn(part.repeat(200_000))
    assert.ok(amounts.length <= 64, part)
  }
})
