import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@plimsoll/chains'
import { byRow, createColumnTable, narrowed } from './columns.js'

const NAMES = ['a', 'b', 'c']

function drawn(rows: number, values: number): Float64Array[] {
  const random = seededRandom(3)
  return Array.from({ length: rows }, () => Float64Array.from(NAMES, () => Math.floor(random() * values) / 7))
}

test('rows come back as they were added, to the last bit, few values or more than two bytes can count', () => {
  for (const [rows, values] of [
    [3_000, 5],
    [30_000, 1e9],
  ] as const) {
    const added = drawn(rows, values)
    const table = createColumnTable(NAMES)
    for (const [n, row] of added.entries()) table.put(n, row)
    assert.equal(table.rows, rows)
    const picked = table.pick(Int32Array.from(added.keys()))
    for (const [f, column] of picked.entries())
      assert.deepEqual(
        column,
        Float64Array.from(added, (row) => row[f] ?? 0),
      )
  }
})

test('equal rows are one, and no others are', () => {
  const added = drawn(5_000, 6)
  const table = createColumnTable(NAMES)
  for (const [n, row] of added.entries()) table.put(n, row)
  const place = new Map<string, number>()
  for (const [n, row] of added.entries()) {
    const identity = table.identities()[n] ?? -1
    const text = row.join()
    if (!place.has(text)) place.set(text, identity)
    assert.equal(place.get(text), identity)
  }
  assert.equal(place.size, table.distinct)
  assert.equal(new Set(place.values()).size, table.distinct)
})

test('a narrowed table has the columns that it is asked for, in that order', () => {
  const table = createColumnTable(NAMES)
  table.put(1, Float64Array.of(4, 5, 6))
  table.put(0, Float64Array.of(1, 2, 3))
  table.put(2, Float64Array.of(1, 2, 3))
  const some = narrowed(table, ['c', 'a'])
  assert.deepEqual(some.pick(Int32Array.of(1, 2)), [Float64Array.of(6, 3), Float64Array.of(4, 1)])
  assert.deepEqual(narrowed(some, ['a']).pick(Int32Array.of(1)), [Float64Array.of(4)])
  assert.deepEqual(some.pickDistinct(0, 1), [Float64Array.of(6), Float64Array.of(4)])
  assert.throws(() => narrowed(table, ['d']), RangeError)
})

test('what is said of every row is asked once of equal ones', () => {
  const added = drawn(20_000, 40)
  const table = createColumnTable(NAMES)
  for (const [n, row] of added.entries()) table.put(n, row)
  let asked = 0
  const sums = byRow(table, (features, n) => {
    asked += n
    return Float64Array.from({ length: n }, (_, i) =>
      features.reduce((sum, column) => sum + (column[i] ?? 0), 0),
    )
  })
  assert.deepEqual(
    sums,
    Float64Array.from(added, (row) => row.reduce((sum, value) => sum + value, 0)),
  )
  assert.equal(asked, table.distinct)
})
