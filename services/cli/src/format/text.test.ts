import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureText, jsonLine, plainLines, plainText, shellWord } from './text.js'

const CASES: readonly (readonly [given: string, shown: string])[] = [
  ['send_email', 'send_email'],
  ['žluť 🚢 日本', 'žluť 🚢 日本'],
  ['\u001b[2J\u001b[31mred', String.raw`\u{1b}[2J\u{1b}[31mred`],
  ['\u001b]0;title\u0007', String.raw`\u{1b}]0;title\u{07}`],
  ['\u009b2J', String.raw`\u{9b}2J`],
  ['a\r\nb\tc\0', String.raw`a\u{0d}\u{0a}b\u{09}c\u{00}`],
  ['\u202egnp.exe', String.raw`\u{202e}gnp.exe`],
  ['a\u2028b\ud800', String.raw`a\u{2028}b\u{d800}`],
]

for (const [given, shown] of CASES) test(`shows ${shown}`, () => assert.equal(plainText(given), shown))

test('lines stay lines', () => assert.equal(plainLines('a\n\u001bb\n'), 'a\n\\u{1b}b\n'))

test('JSON says the same and does nothing to a terminal', () => {
  const value = { text: '\u001b[2J\u009b\u202e\u{e0001}é', offset: 12n, none: undefined }
  const line = jsonLine(value)
  assert.match(line, /^[\x20-\x7eé]+\n$/)
  assert.deepEqual(JSON.parse(line), { text: value.text, offset: '12' })
})

test('words for a shell are quoted where it needs it', () =>
  assert.deepEqual(['--file', '.mcp.json', 'my file', "it's", ''].map(shellWord), [
    '--file',
    '.mcp.json',
    "'my file'",
    String.raw`'it'\''s'`,
    "''",
  ]))

test('failures of the system without call and path', () => {
  assert.equal(failureText(new Error("EACCES: permission denied, open '/a, b'")), 'EACCES: permission denied')
  assert.equal(
    failureText(new Error("EXDEV: cross-device link, rename 'a' -> 'b'")),
    'EXDEV: cross-device link',
  )
  assert.equal(failureText('odd'), 'odd')
})
