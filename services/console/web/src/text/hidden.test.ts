import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, piecesOf } from './hidden.js'

test('plain text stays as it is', () => {
  assert.deepEqual(piecesOf('read_file ("Zoë", 東京, 🚢)'), [{ text: 'read_file ("Zoë", 東京, 🚢)' }])
  assert.deepEqual(piecesOf(''), [])
})

test('characters without a shape are shown by their number', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a\u202Egnp.exe', 'a‹U+202E›gnp.exe'],
    ['pay\u200Bpal', 'pay‹U+200B›pal'],
    ['a\u{e0041}b', 'a‹U+E0041›b'],
    ['a\u00A0b', 'a‹U+00A0›b'],
    ['a\nb\tc', 'a‹↵›b‹⇥›c'],
    ['\ud800', '‹U+D800›'],
    ['a\u3164b', 'a‹U+3164›b'],
    ['\u0000', '‹U+0000›'],
  ]
  for (const [text, shown] of cases) assert.equal(lineOf(text), shown)
})

test('blanks and marks beyond any use are counted', () => {
  assert.equal(lineOf(`a${' '.repeat(100)}b`), 'a‹100 blanks›b')
  assert.equal(lineOf(`a${'\u0301'.repeat(50)}b`), 'a‹50 marks›b')
  assert.equal(lineOf('é e\u0301'), 'é e\u0301')
})

test('text of several lines keeps its breaks, and a long text is cut with a note', () => {
  assert.deepEqual(piecesOf('a\nb', { breaks: true }), [{ text: 'a\nb' }])
  assert.equal(lineOf('x'.repeat(300), 10), `${'x'.repeat(10)}‹290 more characters›`)
})
