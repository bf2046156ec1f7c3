import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptByName } from './kept.js'

test('a name is read once, also where it says nothing, unless it is long', () => {
  const read: string[] = []
  const lengthOf = keptByName((name) => {
    read.push(name.slice(0, 2))
    return name === 'b' ? undefined : [name.length]
  })
  assert.equal(lengthOf('a'), lengthOf('a'))
  assert.deepEqual([lengthOf('b'), lengthOf('b')], [undefined, undefined])
  const long = 'long'.repeat(100)
  assert.notEqual(lengthOf(long), lengthOf(long))
  assert.deepEqual(read, ['a', 'b', 'lo', 'lo'])
})

test('names are forgotten where there are too many', () => {
  let count = 0
  const counted = keptByName(() => (count += 1))
  for (let i = 0; i < 5_000; i++) counted(`n${i}`)
  counted('n4999')
  assert.equal(count, 5_000)
  counted('n0')
  assert.equal(count, 5_001)
})
