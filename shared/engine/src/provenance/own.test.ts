import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING_OWN, addOwn, asWritten, hasForgotten, isOwn, isOwnText, ownOf } from './own.js'

const nth = (n: number): string => `p${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}aaaaa`

test('what was made is own under any of its names, whatever their kind', () => {
  const own = addOwn(NOTHING_OWN, ownOf(['pabcdefg', 'phijklmn']))
  assert.ok(isOwn(own, ['wother22', 'nhijklmn']))
  assert.ok(!isOwn(own, ['pother22']))
  assert.ok(!isOwn(own, []))
  assert.ok(!isOwn(NOTHING_OWN, ['pabcdefg']))
})

test('a value that lies across two fingerprints is none', () => {
  const own = ownOf(['pabcdefg', 'phijklmn'])
  assert.ok(!isOwn(own, [`x${own.slice(3, 10)}`]))
})

test('nothing is kept twice, and the oldest goes first', () => {
  let own = addOwn(NOTHING_OWN, ownOf([nth(0), nth(1)]))
  assert.equal(addOwn(own, nth(1)), own)
  for (let n = 2; n < 65; n++) own = addOwn(own, nth(n))
  assert.ok(isOwnText(own))
  assert.ok(!isOwn(own, [nth(0)]))
  assert.ok(isOwn(own, [nth(1)]) && isOwn(own, [nth(64)]))
})

test('only whole fingerprints, and no more than are kept, can have been written', () => {
  for (const text of ['', 'pabcdefg', 'pabcdefgwabcdefg']) assert.ok(isOwnText(text), text)
  for (const text of ['p', 'pabcdef1', 'zabcdefg', 'pabcdefg'.repeat(65)]) assert.ok(!isOwnText(text), text)
})

test('harmful scripts that were written are not pushed out by what is made', () => {
  let own = addOwn(NOTHING_OWN, asWritten('pscripta'))
  for (let n = 0; n < 200; n++) own = addOwn(own, nth(n))
  assert.ok(isOwn(own, ['pscripta']) && isOwn(own, [nth(199)]))
  assert.ok(isOwnText(own) && !hasForgotten(own))
})

test('where too many of them were written, it is kept that some are forgotten', () => {
  let own = NOTHING_OWN
  for (let n = 0; n < 70; n++) own = addOwn(own, asWritten(nth(n)))
  assert.ok(isOwnText(own) && hasForgotten(own))
  own = addOwn(own, ownOf([nth(99)]))
  assert.ok(hasForgotten(own))
})
