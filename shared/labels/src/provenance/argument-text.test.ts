import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTokenScanner } from '../text/tokens.js'
import { argumentText, roleOf } from './argument-text.js'
import { addressedOf, matched, resultOf, sampleFingerprinter } from './sample-fingerprints.js'

const scan = createTokenScanner()
const nested = (depth: number): unknown => (depth === 0 ? 'a' : [nested(depth - 1)])
const list = (length: number, value: unknown = 'a'): unknown[] => Array.from({ length }, () => value)
const isCut = (values: unknown): boolean => argumentText(values).cut

test('every argument is a line of one text, with its place and its role', () => {
  const { text, leaves, cut } = argumentText({
    to: ['a@b.c', 'd'],
    note: '',
    n: 12,
    big: 3n,
    id: { x: 'e' },
    no: null,
  })
  assert.equal(text, 'a@b.c\nd\n12\n3\ne')
  assert.equal(cut, false)
  assert.deepEqual(
    leaves.map(({ start, end, letter, isTarget }) => [text.slice(start, end), letter, isTarget]),
    [
      ['a@b.c', 'a', true],
      ['d', 'a', true],
      ['12', 'n', false],
      ['3', 'n', false],
      ['e', 'i', false],
    ],
  )
})

test('the last known word of a name is its role', () => {
  const rows = [
    ['url', 'u', true],
    ['server_host', 'u', true],
    ['iban', 'c', true],
    ['recipient', 'a', true],
    ['recipientId', 'i', false],
    ['id_of_recipient', 'a', true],
    ['fileName', 'p', false],
    ['file_url', 'u', true],
  ] as const
  for (const [name, letter, isTarget] of rows) assert.deepEqual(roleOf(name), { letter, isTarget }, name)
  for (const name of ['', 'body', 'note2']) assert.equal(roleOf(name), undefined, name)
})

test('an unusual name is read as a value, a usual one is not', () => {
  const named = (name: string): boolean => argumentText({ [name]: 1 }).text.split('\n').length === 2
  for (const name of [
    'a',
    'body',
    'MAX_SIZE',
    'camelCase',
    'toURL',
    '_id',
    'x12',
    'a-'.repeat(16),
    'A_'.repeat(16),
  ])
    assert.equal(named(name), false, name)
  for (const name of [
    'QT60931',
    'x123',
    'two words',
    `${'a-'.repeat(16)}a`,
    `${'A_'.repeat(16)}A`,
    'a.b',
    '1a',
    'aBc1d',
  ])
    assert.equal(named(name), true, name)
})

/** Up to the limit everything is read, and one more is too much. */
const LIMITS: readonly (readonly [what: string, limit: number, isTooMuch: (size: number) => boolean])[] = [
  ['values of a list', 512, (size) => isCut(list(size))],
  ['values of lists', 512, (size) => isCut([list(500), list(size - 500)])],
  ['values of a set', 512, (size) => isCut(new Set(Array.from({ length: size }, (_, i) => i)))],
  [
    'members',
    512,
    (size) =>
      isCut(
        Object.fromEntries(list(size).map((_, i) => [`a${'b'.repeat(i % 20)}${'c'.repeat(i / 20)}`, 'd'])),
      ),
  ],
  ['levels', 12, (size) => isCut(nested(size))],
  ['characters of a value', 32_768, (size) => isCut('a'.repeat(size))],
  ['characters of all', 65_535, (size) => isCut(['a'.repeat(32_768), 'b'.repeat(size - 32_770), 'd'])],
]

for (const [what, limit, isTooMuch] of LIMITS)
  test(`limit: ${limit} ${what}`, () =>
    assert.deepEqual([isTooMuch(limit), isTooMuch(limit + 1)], [false, true]))

test('a value that is too long is read at both ends', () => {
  const { text, leaves } = argumentText(`${'a'.repeat(30_000)}${'b'.repeat(30_000)}`)
  assert.equal(text, `${'a'.repeat(24_576)}\n${'b'.repeat(8_192)}`)
  assert.deepEqual(leaves[0], {
    start: 0,
    end: text.length,
    letter: 'n',
    isTarget: false,
    isPlace: false,
    isThread: false,
  })
})

test('what cannot be read is left out, and the rest is cut', () => {
  const hidden = {
    a: 'x',
    get b(): string {
      throw new Error('none')
    },
    c: 'y',
  }
  assert.equal(argumentText(hidden).cut, true)
  for (const value of [() => 1, Symbol('a')])
    assert.deepEqual(argumentText(['x', value, 'y']), { ...argumentText(['x', 'y']), cut: true })
  for (const value of [undefined, null, true, '', [], {}])
    assert.deepEqual(argumentText(value), { text: '', leaves: [], cut: false })
})

const count = (values: unknown): number => addressedOf(values).length

test('the digits of an account that is paid to, and the folder of a push, are no content', () => {
  assert.equal(count({ recipient: 'AC2859610395' }), 2)
  assert.equal(count({ recipient: 'ann5512098837@a.example' }), 1)
  const given = argumentText({ local_path: '/downloads/tides', message: 'words' })
  assert.equal(sampleFingerprinter.addressed(given).length, 0)
  assert.ok(sampleFingerprinter.addressed(given, true).length > 0)
})

test('what a step addresses: whom, what, when and how much, but no content', () => {
  assert.equal(count({ to: 'ann@a.example' }), 1)
  assert.equal(count({ account: 'DE89370400440532013000', event_id: '7' }), 2)
  assert.equal(count({ url: 'https://www.a.example/x' }), 3)
  assert.equal(count({ url: 'https://a.example' }), 2)
  assert.equal(count({ url: 'https://a.example?x' }), 3)
  assert.equal(count({ path: '/a/b', body: 'text', name: 'Ann' }), 0)
  assert.equal(count({ repo_name: 'ann/tides' }), 1)
  for (const repo of ['tides', 'a text about ann/tides', 'ann/tides/secret'])
    assert.equal(count({ repo }), 0, repo)
  // Dates and amounts, whatever their names.
  for (const [value, found] of [
    ['2024-05-30', 1],
    ['2024-05-30T10:15', 3],
    ['2024-05-30 10:15:20.5Z', 3],
    ['2024-05-30T10:15:20+02:00', 4],
    ['2024-05-30x', 0],
    ['12345', 1],
    ['1234.50', 2],
    ['123456', 0],
    ['1.234', 0],
    ['12', 1],
  ] as const)
    assert.equal(count({ note: value }), found, value)
})

test('a value that is content too is not addressed', () => {
  assert.equal(count({ to: 'ann@a.example', body: 'for ANN@A.EXAMPLE only' }), 0)
  assert.equal(count({ to: 'ann@a.example', cc: 'for ann@a.example' }), 2)
  // The time of a step leaves anyway.
  assert.equal(count({ start: '2024-05-30', body: 'on 2024-05-30' }), 1)
  assert.equal(count({ amount: '12345', body: 'pay 12345' }), 0)
  assert.equal(count({ to: 'a'.repeat(256) }), 1)
  assert.equal(count({ to: 'a'.repeat(257) }), 0)
  assert.equal(count({ to: Array.from({ length: 20 }, (_, i) => `p${i}@a.example`) }), 16)
})

test('the number of an id is no content either, and a longer text in its place is', () => {
  assert.ok(count({ payment_id: 'credit_card_8897086' }) > 1)
  assert.equal(count({ payment_id: 'credit_card' }), 1)
  assert.equal(count({ payment_id: 'pay card 8897086 now' }), 1)
})

test('where a journey begins and ends is no recipient', () => {
  const targets = (values: object): number =>
    argumentText(values).leaves.filter(({ isTarget }) => isTarget).length
  assert.equal(targets({ origin: 'DTW', destination: 'São Paulo' }), 0)
  assert.equal(targets({ legs: [{ origin: 'Paris (CDG)', destination: 'St. Louis' }] }), 0)
  for (const values of [
    { destination: 'SEA' },
    { origin: 'DTW', destination: 'eve@b.example' },
    { origin: 'DTW', destination: 'b.example' },
    { origin: 'DTW', destination: 'C0451' },
  ])
    assert.equal(targets(values), 1)
})

const described = (description: string | undefined, tool = 'x'): readonly string[] => {
  const given = argumentText({})
  return sampleFingerprinter.proposal({ tool, description, given, tokens: scan(given.text) })
}
const lettersOf = (fingerprints: readonly string[]): string =>
  fingerprints.map((each) => each.charAt(0)).join('')

test('the words of a name and of the first sentence of a description, up to eight of each', () => {
  const words = 'alpha beta gamma delta epsilon zeta theta iota kappa lambda'
  assert.equal(lettersOf(described(undefined)), '')
  assert.equal(lettersOf(described(words)), 'd'.repeat(8))
  assert.equal(lettersOf(described('alpha beta. gamma')), 'dd')
  assert.equal(lettersOf(described('.alpha')), '')
  assert.equal(lettersOf(described(`${' '.repeat(195)}alpha beta`)), 'd')
  assert.equal(lettersOf(described(`${' '.repeat(200)}alpha`)), '')
  assert.equal(lettersOf(described('alpha alpha', words.replaceAll(' ', '_'))), 't'.repeat(8))
  assert.equal(lettersOf(described('kappa', words.replaceAll(' ', '_'))), `${'t'.repeat(8)}d`)
})

test('a passage is four words, so that three words in common are none', () => {
  const read = resultOf('harbour ledger mentions velvet cranes tomorrow evening')
  const grams = (text: string): number =>
    matched(resultOf(text), read).filter((each) => each.startsWith('g')).length
  assert.deepEqual(
    [
      'say so say mentions velvet cranes',
      'say mentions velvet cranes tomorrow',
      'say ledger mentions velvet cranes tomorrow',
    ].map(grams),
    [0, 1, 2],
  )
})
