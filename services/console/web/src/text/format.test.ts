import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counted, duration, percent } from './format.js'

test('a percentage never rounds to a certainty', () => {
  assert.deepEqual([0, 0.0002, 0.071, 0.5, 0.995, 0.9999, 1].map(percent), [
    '0%',
    '<0.1%',
    '7.1%',
    '50%',
    '99.5%',
    '>99.9%',
    '100%',
  ])
})

test('a duration has its largest unit', () => {
  assert.deepEqual([-5, 1_499, 119_000, 120_000, 7_200_000, 172_800_000].map(duration), [
    '0 s',
    '1 s',
    '119 s',
    '2 min',
    '2 h',
    '2 d',
  ])
})

test('counts have their noun in the right number', () => {
  assert.deepEqual([counted(1, 'step'), counted(12_000, 'step')], ['1 step', '12,000 steps'])
})
