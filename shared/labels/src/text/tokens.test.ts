import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AFTER_ASSIGN,
  AFTER_BRACKET,
  AFTER_NEWLINE,
  AFTER_QUOTE,
  AFTER_SENTENCE,
  HAS_AT,
  HAS_DIGIT,
  HAS_DOT,
  HAS_INVISIBLE,
  HAS_JOINER,
  HAS_LOWER,
  HAS_SLASH,
  HAS_UPPER,
  HAS_WIDE,
  IS_PIECE,
  IS_URL,
  STARTS_UPPER,
} from './characters.js'
import { createTokenScanner, TOKEN_UNITS_MAX, UNITS_MAX } from './tokens.js'

const scan = createTokenScanner()

function wordsOf(text: string): string[] {
  const { count, start, end } = scan(text)
  return Array.from({ length: count }, (_, i) => text.slice(start[i], end[i]))
}

function flagsOf(text: string, index: number): number {
  const { count, flags } = scan(text)
  assert.ok(index < count, `\`${text}\` has ${count} tokens`)
  return flags[index] ?? 0
}

const CUT: readonly [text: string, words: string[]][] = [
  ['', []],
  ['Pay the harbour dues.', ['Pay', 'the', 'harbour', 'dues']],
  ['Write to "a.b+c@mail.example.org", please!', ['Write', 'to', 'a.b+c@mail.example.org', 'please']],
  [
    'See https://x.example/a?b=c&d=%20e#f, or www.x.example.',
    ['See', 'https://x.example/a?b=c&d=%20e#f', 'or', 'www.x.example'],
  ],
  ['x.example/a?b=c', ['x.example/a?b=c']],
  ['(http://x.example:8080/)', ['http://x.example:8080']],
  [
    'cat ~/.ssh/id_rsa ../x ./y .env /etc/passwd',
    ['cat', '~/.ssh/id_rsa', '../x', './y', '.env', '/etc/passwd'],
  ],
  ['{"key":"value","n":12.5,"list":[1,2]}', ['key', 'value', 'n', '12.5', 'list', '1', '2']],
  ["it's 'quoted' {'k': 'v'}", ["it's", 'quoted', 'k', 'v']],
  ['API_KEY=abc-123; export _x', ['API_KEY', 'abc-123', 'export', '_x']],
  ['+44 20 7946 0000 a+b', ['+44', '20', '7946', '0000', 'a+b']],
  ['<b>bold</b>', ['b', 'bold', 'b']],
  ['first\\nsecond\\tthird C:\\Users', ['first', 'second', 'third', 'C', 'Users']],
  ['… wait... ---- // / ~ ____ +', ['wait']],
  ['naïve Straße 東京 à', ['naïve', 'Straße', '東京', 'à']],
  ['mailto:x@y.example', ['mailto', 'x@y.example']],
  ['what? really?yes', ['what', 'really', 'yes']],
  ['\ud800a\udfffb\u0000c', ['a', 'b', 'c']],
  ['://x http:// :', ['//x', 'http']],
  ['~', []],
  ['x:', ['x']],
  ['x\\', ['x']],
  ["x'", ['x']],
]

test('an address, URL, path or id is one token', () => {
  for (const [text, words] of CUT) assert.deepEqual(wordsOf(text), words, text)
})

const FLAGGED: readonly [text: string, index: number, flags: number][] = [
  ['a', 0, HAS_LOWER | AFTER_NEWLINE | AFTER_SENTENCE],
  ['x Ab9', 1, HAS_LOWER | HAS_UPPER | HAS_DIGIT | STARTS_UPPER],
  ['x a@b.c', 1, HAS_LOWER | HAS_AT | HAS_DOT],
  ['x. Then', 1, HAS_LOWER | HAS_UPPER | STARTS_UPPER | AFTER_SENTENCE],
  ['x! y', 1, HAS_LOWER | AFTER_SENTENCE],
  ['x\ny', 1, HAS_LOWER | AFTER_NEWLINE],
  ['x\\ny', 1, HAS_LOWER | AFTER_NEWLINE],
  ['x "y', 1, HAS_LOWER | AFTER_QUOTE],
  ['x: 5', 1, HAS_DIGIT | AFTER_ASSIGN],
  ['x [5', 1, HAS_DIGIT | AFTER_BRACKET],
  ['x a_b', 1, HAS_LOWER | HAS_JOINER],
  ['x é', 1, HAS_WIDE],
  ['x /a', 1, HAS_LOWER | HAS_SLASH],
  ['x a\u200bb', 1, HAS_LOWER | HAS_INVISIBLE],
  ['x \u200bb', 1, HAS_LOWER | HAS_INVISIBLE],
  ['x ftp://y', 1, HAS_LOWER | HAS_SLASH | IS_URL],
  ['x \\ty', 1, HAS_LOWER],
]

test('flags describe a token and the gap before it', () => {
  for (const [text, index, flags] of FLAGGED) assert.equal(flagsOf(text, index), flags, text)
})

test('cuts long runs into pieces and ends tokens', () => {
  const run = 'a'.repeat(TOKEN_UNITS_MAX * 2 + 10)
  assert.deepEqual(
    wordsOf(run).map(({ length }) => length),
    [TOKEN_UNITS_MAX, TOKEN_UNITS_MAX, 10],
  )
  assert.equal(flagsOf(run, 0) & IS_PIECE, 0)
  assert.equal(flagsOf(run, 2), HAS_LOWER | IS_PIECE)
  assert.equal(flagsOf(`http://${run}`, 1) & IS_URL, IS_URL)
  assert.equal(scan('a '.repeat(UNITS_MAX)).count, UNITS_MAX / 2)
  assert.deepEqual(wordsOf('/'.repeat(10_000)), [])
  assert.deepEqual(wordsOf(`${'a'.repeat(TOKEN_UNITS_MAX)} b`).slice(1), ['b'])
})

test('a scanner reuses its arrays and shares them with no other scanner', () => {
  const other = createTokenScanner()
  const mine = scan('one two')
  assert.equal(other('three').count, 1)
  assert.equal(mine.count, 2)
  assert.equal(scan('x'), mine)
  assert.equal(mine.count, 1)
})
