import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deadLetterOf } from '@plimsoll/operations'
import { letterText, planText, valueText } from './dlq.js'

const letter = (
  value: Buffer | null,
  headers: Readonly<Record<string, string>> = {},
  key: string | null = 's-1',
) => deadLetterOf({ topic: 'd', partition: 3, offset: 17n, timeMs: 0, key, value, headers })

const VALUES: readonly (readonly [given: Buffer, shown: string])[] = [
  [Buffer.from('{"b":1,"a":[true]}'), '{\n  "b": 1,\n  "a": [\n    true\n  ]\n}\n'],
  [Buffer.from('no json'), 'no json\n'],
  [Buffer.from(''), '\n'],
  [Buffer.from([0xff, 0x41, 0x00]), `00000000  ff 41 00${' '.repeat(39)}  .A.\n`],
]
for (const [given, shown] of VALUES)
  test(`shows ${JSON.stringify(given.toString('latin1'))}`, () => assert.equal(valueText(given), shown))

test('cuts long values, and says by how much', () => {
  const bytes = Buffer.alloc(10_000, 0xff)
  assert.match(valueText(bytes), /\n… 5904 more bytes\n$/)
  assert.equal(valueText(bytes).split('\n').length, 4096 / 16 + 2)
  assert.match(valueText(Buffer.from('x'.repeat(70_000))), /\n… 4464 more characters\n$/)
})

test('a letter without headers of ours says so', () => {
  const text = letterText(letter(null, {}, null), 'd')
  assert.match(text, /^dead letter +3:17 of d$/m)
  assert.match(text, /^code +none$/m)
  assert.match(text, /^came from +its headers do not say$/m)
  assert.match(text, /^key +none$/m)
  assert.match(text, /\nno value\n$/)
})

test('says what was cut', () => {
  const headers = { 'plimsoll-cut-from': '700000', 'plimsoll-key-cut-from': '2048' }
  const text = letterText(letter(Buffer.from('x'), headers, null), 'd')
  assert.match(text, /^key +of 2048 bytes, not kept$/m)
  assert.match(text, /^value, 1 bytes: the beginning of 700000$/m)
})

test('nothing in a letter commands the terminal', () => {
  const evil = '\u001b[2J\u009b'
  const headers = { 'plimsoll-code': evil, 'plimsoll-message': evil, 'plimsoll-topic': evil, [evil]: evil }
  const evilLetter = letter(Buffer.from(JSON.stringify({ [evil]: evil }) + evil), headers, evil)
  const texts = [
    letterText(evilLetter, 'd'),
    planText({ letters: [], left: [{ letter: evilLetter, why: 'cut' }] }, 'e'),
  ]
  for (const text of texts) assert.doesNotMatch(text.replaceAll('\n', ''), /\p{Cc}/u)
})
