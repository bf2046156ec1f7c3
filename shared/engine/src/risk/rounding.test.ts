import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounded } from './rounding.js'

const exact = (value: number): number => Number(value.toPrecision(6))

test('rounds every probability to the same number as its six digits in text', () => {
  let seed = 7
  const below = (n: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return (seed / 2 ** 32) * n
  }
  for (let i = 0; i < 200_000; i++) {
    const value = below(1) * 10 ** -Math.floor(below(12))
    assert.equal(rounded(value), exact(value), String(value))
  }
})

test('halves, powers of ten and the numbers beside them', () => {
  for (let exponent = -20; exponent <= 0; exponent++)
    for (const digits of [1, 1.000005, 1.234565, 1.234575, 2.5, 5, 9.999995, 9.9999949999, 9.99999])
      for (const shift of [0, -(2 ** -52), 2 ** -52]) {
        const value = Number(`${digits}e${exponent}`) * (1 + shift)
        assert.equal(rounded(value), exact(value), String(value))
      }
})

test('zero and numbers that are no probabilities', () => {
  for (const value of [0, -0.5, 123456.5, 1e9, 1e-300, 5e-324, Number.NaN, Infinity])
    assert.equal(rounded(value), exact(value), String(value))
})
