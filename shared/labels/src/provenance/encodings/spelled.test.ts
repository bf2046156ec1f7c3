import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentText } from '../argument-text.js'
import { finds } from '../sample-fingerprints.js'
import { spelledValues } from './spelled.js'

const spelled = (body: string): readonly string[] => {
  const { text, leaves } = argumentText({ body })
  return spelledValues(text, leaves)
}

test('values in words, apart, or with a tag are as they stand in a text', () => {
  for (const [body, value] of [
    ['Room 773 is free. Room 019 is free. Room 442 is free. Room 2', '7730194422'],
    ['it is seven seven three, zero one nine-four four two two.', '7730194422'],
    ['open from nine to five. seven seven three zero one nine four four two two', '7730194422'],
    ['00110111 00110111 00110011 00110000 00110001 00111001', '773019'],
    ['call 070-123 45 67', '701234567'],
    ['write to eva.lindqvist [at] norrmail [dot] se', 'eva.lindqvist@norrmail.se'],
    ['write to eva.lindqvist+x@norrmail.se', 'eva.lindqvist@norrmail.se'],
  ] as const)
    assert.ok(spelled(body).includes(value), body)
  assert.ok(finds('Ann Moor, account 7730194422', { body: 'take 77301 and then 94422' }))
  const phone = 'one five five five one two three four five six seven'
  assert.ok(finds('Call +1 (555) 123-4567', { phone }))
  assert.ok(finds('phone +46 70 123 45 67', { body: 'call 070-123 45 67' }))
})

test('ordinary text has none', () => {
  for (const body of ['open from nine to five', 'call 12345', 'one or two', 'at [home]', 'a 12 b 345', ''])
    assert.deepEqual(spelled(body), [], body)
  assert.deepEqual(spelled(Array.from({ length: 30 }, (_, i) => i).join(' ')), [], 'many numbers')
})

test('a long argument is read in steps that grow as it does', () => {
  for (const text of ['a.', '1 ', 'seven ', 'a+', 'a [at] ', 'x@'])
    assert.ok(spelled(text.repeat(1_000 / text.length)).length <= 16)
})
