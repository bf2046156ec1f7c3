import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { assertExact, JSON_DEPTH_MAX } from '../http/exact-json.js'
import { createExactLines } from './exact-lines.js'

const problemOf = (json: string | Buffer): string => {
  try {
    assertExact(Buffer.from(json))
    return ''
  } catch (error) {
    assert.ok(error instanceof PlimsollError)
    return error.message
  }
}

describe('refuses JSON that would change when parsed', () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['a name twice', '{"to":"a","to":"b"}', /`to` twice/],
    ['twice, once escaped', '{"to":1,"\\u0074o":2}', /`to` twice/],
    ['twice in an object of a list', '[{"a":1},{"b":{"c":1, "c" :1}}]', /`c` twice/],
    ['an integer beyond 2^53', '{"id":9007199254740993}', /`9007199254740993`.*string/],
    ['a long id', '{"id":1234567890123456789}', /digits would be lost/],
    ['a negative one', '[-9007199254740993]', /digits would be lost/],
    ['a fraction that is cut', '[0.1000000000000000055]', /digits would be lost/],
    ['more than a double holds', '[1e400]', /digits would be lost/],
    ['less than a double holds', '[1e-400]', /digits would be lost/],
    ['too many levels', '['.repeat(JSON_DEPTH_MAX + 1), /levels deep/],
  ]
  for (const [what, json, says] of refused) test(what, () => assert.match(problemOf(json), says))

  test('bytes that are not UTF-8', () => assert.match(problemOf(Buffer.from([0x22, 0xff, 0x22])), /UTF-8/))
})

test('accepts JSON that parses unchanged', () => {
  const texts = [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"a","d":["a","a"]}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '[9007199254740991,9007199254740992,1e21,1E+2,-0,0.0,0.30000000000000004,5e-324,1.7976931348623157e308]',
    '[100000000000000000000,1.50,0.000001]',
    `${'['.repeat(JSON_DEPTH_MAX)}${']'.repeat(JSON_DEPTH_MAX)}`,
    '',
    '{"no json',
  ]
  for (const text of texts) assert.equal(problemOf(text), '', text)
  for (let i = 0, seed = 7; i < 2_000; i++) {
    seed = (seed * 48_271) % 2_147_483_647
    const number = (seed / 2_147_483_647) * 10 ** ((seed % 60) - 30)
    assert.equal(problemOf(JSON.stringify([number])), '', String(number))
  }
})

test('refuses such lines on standard input, and answers them', () => {
  const refused: unknown[] = []
  const lines = createExactLines({
    lineBytesMax: 200,
    onRefused: (id, message) => refused.push([id, message]),
  })
  const taken: string[] = []
  lines.on('data', (chunk: Buffer) => taken.push(String(chunk)))
  lines.write('{"id":1,"a":')
  lines.write('1}\n{"id":2,"a":1,"a":2}\n{"id":3}\n')
  assert.deepEqual(taken, ['{"id":1,"a":1}\n', '{"id":3}\n'])
  assert.deepEqual(refused, [[2, 'the message has the name `a` twice in one object']])
})
