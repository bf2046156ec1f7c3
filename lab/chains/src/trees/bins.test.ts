import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../random.js'
import { binColumns } from './bins.js'

const codesOf = (values: number[], bins: number) => {
  const [column] = binColumns([Float64Array.from(values)], bins)
  return { codes: [...(column?.codes ?? [])], edges: column?.edges ?? [] }
}

test('few values have a bin each, separated by short numbers', () => {
  assert.deepEqual(codesOf([3, 1, 2, 1, 2], 8), { codes: [2, 0, 1, 0, 1], edges: [2, 3] })
  assert.deepEqual(codesOf([0, 1 / 3, 1], 8).edges, [0.2, 0.7])
  assert.deepEqual(codesOf([0, -0, 0], 8).edges, [])
})

test('many values are split evenly, and each edge splits codes as it splits values', () => {
  const random = seededRandom(1)
  const values = Array.from({ length: 5_000 }, () => random() ** 3)
  const { codes, edges } = codesOf(values, 16)
  assert.equal(edges.length, 15)
  const counts = edges.concat(0).map((_, code) => codes.filter((other) => other === code).length)
  assert.ok(
    counts.every((count) => count > 250 && count < 400),
    counts.join(' '),
  )
  for (const [i, value] of values.entries())
    assert.equal(codes[i], edges.filter((edge) => !(value < edge)).length)
})

test('a frequent value leaves the other bins to the tail', () => {
  const values = Array.from({ length: 10_000 }, (_, i) => (i < 9_900 ? 0 : i))
  assert.ok(codesOf(values, 32).edges.length >= 30)
})

test('adjacent doubles are still separated', () => {
  const next = 1 + Number.EPSILON
  assert.deepEqual(codesOf([1, next], 2), { codes: [0, 1], edges: [next] })
})
