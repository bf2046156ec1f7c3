import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isProved, proofOf, sessionKeyOf } from './token.js'

const KEY = 'the identity key of this deployment'
const VALUE = '{"sessionId":"s1","seq":3}'
const proof = proofOf(VALUE, sessionKeyOf('s1', KEY))

describe('proof', () => {
  test('is known by its session and its value, whichever of the keys it comes of', () => {
    assert.ok(isProved(VALUE, 's1', proof, [KEY]))
    assert.ok(isProved(Buffer.from(VALUE), 's1', proof, ['the key that comes next', KEY]))
  })

  const others: readonly [string, Parameters<typeof isProved>][] = [
    ['of another session', [VALUE, 's2', proof, [KEY]]],
    ['of another value', [VALUE.replace('3', '4'), 's1', proof, [KEY]]],
    ['under another key', [VALUE, 's1', proof, ['the identity key of another one']]],
    ['where there are no keys', [VALUE, 's1', proof, []]],
    ['cut short', [VALUE, 's1', proof.slice(1), [KEY]]],
    ['with characters of two bytes', [VALUE, 's1', 'ä'.repeat(43), [KEY]]],
    ['that is missing', [VALUE, 's1', '', [KEY]]],
    ['of a session whose id ends as it begins', [VALUE, 's', proofOf(VALUE, sessionKeyOf('s1', KEY)), [KEY]]],
  ]
  for (const [what, given] of others) test(`one ${what} proves nothing`, () => assert.ok(!isProved(...given)))
})
