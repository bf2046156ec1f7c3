import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { argumentLines, stepLines } from './step-lines.js'

const lineOf = (args: Readonly<Record<string, unknown>>, name: string): string => {
  const line = argumentLines(args).find((each) => each.startsWith(`${name}: `))
  assert.ok(line !== undefined, `no line of \`${name}\``)
  return line
}

describe('lines of a step for an approver', () => {
  test('orders lines: tool, recipients, amounts, places, commands, the rest', () => {
    const args = {
      body: 'Hello',
      command: 'ls',
      callback: 'https://example.org/x',
      path: 'notes.txt',
      amount: 12.5,
      note: null,
      to: ['ann@example.com', 'bob@example.com'],
      iban: 'XX00',
      urgent: true,
    }
    assert.deepEqual(stepLines('send_money', args), [
      'tool: send_money',
      'to[0]: "ann@example.com"',
      'to[1]: "bob@example.com"',
      'iban: "XX00"',
      'amount: 12.5',
      'callback: "https://example.org/x"',
      'path: "notes.txt"',
      'command: "ls"',
      'body: "Hello"',
      'note: null',
      'urgent: true',
    ])
  })

  test('a recipient comes first in any argument at any depth', () => {
    const args = { text: 'x', options: [{ k: { zz: 'eve@example.org' } }, { recipients: { first: 'Eve' } }] }
    assert.deepEqual(argumentLines(args), [
      'options[0].k.zz: "eve@example.org"',
      'options[1].recipients.first: "Eve"',
      'text: "x"',
    ])
  })

  test('says that there are no arguments', () => assert.deepEqual(argumentLines({}), ['(no arguments)']))

  test('empty lists and objects', () =>
    assert.deepEqual(argumentLines({ a: [], b: {}, c: [[]] }), ['a: []', 'b: {}', 'c[0]: []']))
})

describe('values behind padding', () => {
  test('shows a recipient behind blanks in one argument', () => {
    const to = `ann@example.com${' '.repeat(5_000)}, eve@example.org`
    assert.equal(lineOf({ to }, 'to'), String.raw`to: "ann@example.com\{5000 blanks}, eve@example.org"`)
  })

  test('shows a recipient behind a long argument', () => {
    const lines = argumentLines({ body: 'lorem ipsum '.repeat(1_000), to: 'eve@example.org' })
    assert.equal(lines[0], 'to: "eve@example.org"')
    assert.match(lines[1] ?? '', /^body: "lorem .*\\\{\d+ characters cut\}.*ipsum "$/)
  })

  for (const [name, padding] of [
    ['blanks of many kinds', '\u00a0 \t\u3000\n\u200b'.repeat(200)],
    ['invisible characters', '\u200b\u2060\u3164\ufe0f'.repeat(300)],
    ['one letter', 'x'.repeat(900)],
    ['dots and dashes', '.-_ '.repeat(300)],
    ['words', ' and some others'.repeat(300)],
    ['more than the limit', '\n'.repeat(100_000)],
    ['words, more than the limit', 'lorem ipsum '.repeat(10_000)],
  ] as const)
    test(`shows a recipient behind ${name} at the end of its line`, () => {
      const line = lineOf({ to: `ann@example.com ${padding} eve@example.org` }, 'to')
      assert.match(line, /^to: "ann@example\.com/)
      assert.match(line, /eve@example\.org"$/)
      assert.match(line, /\\\{\d+ /)
      assert.ok(line.length < 1_200, `${line.length} characters`)
    })

  test('counts recipients in the part that is cut', () => {
    const to = `ann@example.com ${'and '.repeat(1_000)}eve@example.org ${'or '.repeat(1_000)}`
    assert.match(lineOf({ to }, 'to'), /\\\{\d+ characters cut, 1 of them @\}/)
  })

  test('a flood of recipients keeps room for other lines and is counted', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`a${i}`, 'x']))
    const lines = argumentLines({ ...many, cc: 'eve@example.org', nested: { amount: 7 } })
    assert.deepEqual(lines.slice(0, 2), ['cc: "eve@example.org"', 'nested.amount: 7'])
    assert.equal(lines.at(-1), '(270 more values are not shown)')
    const to = Array.from({ length: 1_000 }, (_, i) => `u${i}@example.com`)
    const crowd = argumentLines({ to, amount: 3 })
    assert.equal(crowd[100], '(900 more recipients are not shown)')
    assert.equal(crowd[101], 'amount: 3')
  })

  test('shows the recipient in the last of 200 nested arguments', () => {
    const args = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        `part${i}`,
        { inner: [{ v: i, ...(i === 199 && { bcc: 'Eve' }) }] },
      ]),
    )
    const lines = argumentLines(args)
    assert.equal(lines[0], 'part199.inner[0].bcc: "Eve"')
    assert.equal(lines[1], 'part0.inner[0].v: 0')
    assert.equal(lines.at(-1), '(170 more values are not shown)')
  })
})

describe('deceptive characters', () => {
  const CASES = [
    ['lines of their own', 'a\nto: "bob"\r\tx', String.raw`"a\nto: \"bob\"\r\tx"`],
    ['a turned direction', 'gnp.\u202eexe', String.raw`"gnp.\u{202e}exe"`],
    ['isolates and marks', '\u2066a\u2069\u200f', String.raw`"\u{2066}a\u{2069}\u{200f}"`],
    ['terminal commands', '\u001b[2Jx\u009b1m\u0007', String.raw`"\u{1b}[2Jx\u{9b}1m\u{7}"`],
    [
      'characters without width',
      'ann\u200b\ufeff@example.com',
      String.raw`"ann\u{200b}\u{feff}@example.com"`,
    ],
    ['blanks that are none', 'a\u00a0b\u3164c\u2800d', String.raw`"a\u{a0}b\u{3164}c\u{2800}d"`],
    ['tags', 'x\u{e0041}', String.raw`"x\u{e0041}"`],
    ['half a pair', 'x\ud83d', String.raw`"x\u{d83d}"`],
    ['notes of ours', String.raw`\{400 blanks}`, String.raw`"\\{400 blanks}"`],
    ['letters of the world', 'Zoë Ærø 東京 🚢', '"Zoë Ærø 東京 🚢"'],
  ] as const
  for (const [name, value, shown] of CASES)
    test(name, () => assert.deepEqual(argumentLines({ q: value }), [`q: ${shown}`]))

  test('quotes unusual names', () => {
    assert.deepEqual(argumentLines({ 'to: "ann"\nx': 1, 'a.b': { 'c]': 2 }, '': 3 }), [
      String.raw`"to: \"ann\"\nx": 1`,
      '"a.b"["c]"]: 2',
      '"": 3',
    ])
    const [line = ''] = argumentLines({ ['n'.repeat(5) + ' '.repeat(9_000) + 'm']: 1 })
    assert.equal(line, String.raw`"nnnnn\{9000 blanks}m": 1`)
  })
})

describe('hostile arguments give bounded output', () => {
  test('deeply nested lists', () => {
    let value: unknown = 'eve@example.org'
    for (let i = 0; i < 20_000; i++) value = [value]
    const [line = ''] = argumentLines({ deep: value })
    assert.match(line, /^deep\\\{\d+ levels\}(?:\[0\])+: "eve@example\.org"$/)
  })

  test('cyclic values', () => {
    const self: Record<string, unknown> = {}
    self['self'] = Array.from({ length: 1_000 }, () => self)
    assert.match(argumentLines(self).at(-1) ?? '', /more values than can be shown/)
  })

  test('more values than the limit', () => {
    const lines = argumentLines({ to: Array.from({ length: 300_000 }, () => 'a@b.example') })
    assert.match(lines.at(-1) ?? '', /more values than can be shown/)
    assert.ok(lines.length < 200)
  })
})
