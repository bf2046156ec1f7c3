import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeOrder, movedIn } from './steady-order.js'

test('rows keep their place while others move, come and go', () => {
  assert.deepEqual(mergeOrder(['a', 'b', 'c'], ['c', 'a', 'b']), ['a', 'b', 'c'])
  assert.deepEqual(mergeOrder(['a', 'b', 'c'], ['d', 'c', 'a']), ['a', 'c', 'd'])
  assert.deepEqual(mergeOrder([], ['b', 'a']), ['b', 'a'])
})

test('an order that stays is the same array, so that nothing is drawn again', () => {
  const shown = ['a', 'b']
  assert.equal(mergeOrder(shown, ['b', 'a']), shown)
})

test('the rows that a new order would move are counted', () => {
  assert.equal(movedIn(['a', 'b', 'c'], ['b', 'a', 'c']), 2)
  assert.equal(movedIn(['a'], ['a']), 0)
})
