import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { formatIssues, parseJson } from './parse.js'

test('reads JSON from text and from bytes', () => {
  assert.deepEqual(parseJson('{"a":[1]}'), { a: [1] })
  assert.deepEqual(parseJson(Buffer.from('"ü"')), 'ü')
  assert.equal(parseJson('null'), null)
})

test('gives undefined for what is not JSON', () => {
  for (const value of ['', '{', undefined, null, Buffer.alloc(0), Buffer.from([0x22, 0xff, 0x22])])
    assert.equal(parseJson(value), undefined)
})

test('formats the issues of a failed check on one line', () => {
  const { error } = z
    .strictObject({ a: z.object({ b: z.string() }), c: z.number() })
    .safeParse({ a: {}, c: 'x', d: 1 })
  assert.ok(error)
  assert.equal(
    formatIssues(error, 'document'),
    error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`).join('; '),
  )
  assert.match(formatIssues(error, 'document'), /^a\.b: .*; c: .*; document: /)
  assert.match(formatIssues(error, 'all', 1), /^a\.b: [^;]*; and 2 more$/)
})

test('says what is wrong with a name', () => {
  const { error } = z
    .record(z.string().regex(/^[a-z]+$/, 'expected small letters'), z.number())
    .safeParse({ A: 1 })
  assert.ok(error)
  assert.equal(formatIssues(error), 'A: the name: expected small letters')
})
