import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlimsollError } from '@plimsoll/contracts'
import { compileExpression } from './expressions.js'

const MAIL = {
  to: ['ann@us.org', 'bob@evil.net'],
  cc: null,
  subject: 'Q3 Numbers',
  amount: 100.5,
  count: 7,
  urgent: true,
  event: { id: 'e1', attendees: ['ann@us.org'] },
}

const valueOf = (text: string, args: Record<string, unknown> | undefined = MAIL): unknown =>
  compileExpression(text).evaluate(args)

test('what expressions give', () => {
  const rows: [string, unknown][] = [
    ['args.amount > 100', true],
    ['args.amount == 100.5', true],
    ['args.count == 7', true],
    ['args.count != 7', false],
    ['args.count in [1, 7]', true],
    ['args.count % 2 == 1', true],
    ['args.amount * 2', 201],
    ['2 * args.amount - 1', 200],
    ['args.count / 2', 3.5],
    ['7 / 2', 3],
    ['size(args.to)', 2],
    ['size(args.to) * 0.5 == 1.0', true],
    ['args.to', MAIL.to],
    ['args.to[0]', 'ann@us.org'],
    ['args["subject"]', 'Q3 Numbers'],
    ['args.event.id', 'e1'],
    ['args.to.exists(t, !t.endsWith("@us.org"))', true],
    ['args.to.all(t, t.endsWith("@us.org"))', false],
    ['args.to.filter(t, t.endsWith("@us.org"))', ['ann@us.org']],
    ['args.to.map(t, t.substring(t.indexOf("@") + 1))', ['us.org', 'evil.net']],
    ['args.event.attendees.all(a, a in args.to)', true],
    ['args.subject.lowerAscii().contains("numbers")', true],
    ['args.subject.split(" ").exists(w, w == "Q3")', true],
    ['args.urgent && args.subject.startsWith("Q")', true],
    ['args.urgent ? 1 : 2', 1],
    ['has(args.event.id)', true],
    ['has(args.event.room)', false],
    ['has(args.event.room) && args.event.room == "x"', false],
    ['double("3.5")', 3.5],
    ['null', null],
  ]
  for (const [text, expected] of rows) assert.deepEqual(valueOf(text), expected, text)
})

test('what is not known', () => {
  const rows: [string, Record<string, unknown>?][] = [
    ['args.bcc == "x"'],
    ['has(args.bcc)'],
    ['args.urgent || args.bcc'],
    ['args.event.room == "x"'],
    ['args.subject > 3'],
    ['args.subject + 1'],
    ['args.amount / 0'],
    ['7 / (size(args.to) - 2)'],
    ['args.to[9]'],
    ['args.to[args.count]'],
    ['args.event'],
    ['[args.event]'],
    ['args.constructor', {}],
    ['args.__proto__', {}],
    ['args.x.y', { x: JSON.parse('{ "constructor": 1, "y": 2 }') }],
    ['args.x.exists(e, e == 1)', { x: 'text' }],
    ['args.x > 1', { x: undefined }],
  ]
  for (const [text, args] of rows) assert.equal(valueOf(text, args), undefined, text)
  assert.equal(compileExpression('args.amount > 100').evaluate(undefined), undefined)
  assert.equal(compileExpression('1 < 2').evaluate(undefined), undefined)
})

test('an argument reported as null is missing', () => {
  assert.equal(valueOf('has(args.cc)'), false)
  assert.equal(valueOf('has(args.cc) && args.cc.exists(c, c == "x")'), false)
  assert.equal(valueOf('!has(args.cc) || args.cc.all(c, c.endsWith("@us.org"))'), true)
  assert.equal(valueOf('args.cc == null'), true)
  assert.equal(valueOf('args.cc.exists(c, c == "x")'), undefined)
})

test('an error leaves nothing behind, neither for the next step nor for anyone who reads stacks', () => {
  const { stackTraceLimit } = Error
  const compiled = compileExpression('args.x > 3')
  const given = [4, 'a', 'b', 4, 2, 'a', 4].map((x) => compiled.evaluate({ x }))
  assert.deepEqual(given, [true, undefined, undefined, true, false, undefined, true])
  assert.equal(Error.stackTraceLimit, stackTraceLimit)
})

test('which arguments are read, and what kind of value comes', () => {
  const rows: [string, string[], string][] = [
    ['args.a > 1 && args["b"].c == args.a', ['a', 'b'], 'bool'],
    ['args.to.exists(t, t == args.me)', ['to', 'me'], 'bool'],
    ['has(args.cc)', ['cc'], 'bool'],
    ['args.amount', ['amount'], 'any'],
    ['size(args.to)', ['to'], 'number'],
    ['"x" + "y"', [], 'string'],
    ['args.to.map(t, t.size())', ['to'], 'list'],
    ['null', [], 'null'],
  ]
  for (const [text, reads, gives] of rows) {
    const compiled = compileExpression(text)
    assert.deepEqual([[...compiled.reads], compiled.gives], [reads, gives], text)
  }
})

test('what cannot be compiled says why in a line', () => {
  const rows: [string, RegExp][] = [
    ['', /^expression ``: unexpected token: EOF, at character 1$/],
    ['args.amount >', /^expression `args\.amount >`: unexpected token: EOF, at character 14$/],
    ['args.amount > 100)', /unexpected character/],
    ['amount > 100', /unknown variable: amount, at character 1$/],
    ['1 + "x"', /no such overload: int \+ string/],
    ['args', /`args` is read argument by argument: write `args\.name`/],
    ['args == args', /`args` is read argument by argument/],
    ['args.all(k, true)', /`args` is read argument by argument/],
    ['args[args.name]', /`args` is read argument by argument/],
    ['"a" in args', /`args` is read argument by argument/],
    ['[1].exists(args, args.x == 1)', /cannot be the variable/],
    ['args.s.matches("(a+)+$")', /`matches` is not supported; there are `size`/],
    ['cel.bind(a, args.s, a + a)', /`bind` is not supported|unknown variable: cel/],
    ['timestamp(args.when) > timestamp("2026-01-01T00:00:00Z")', /`timestamp` is not supported/],
    ['{"a": 1}', /maps and optional members/],
    ['b"x" == args.x', /bytes and unsigned numbers/],
    ['args.a.all(x, args.a.all(y, args.a.all(z, x == z)))', /no deeper than 2/],
    ['args.s.split(",").all(x, args.a.all(y, x == y))', /with `split`/],
    [`args.x${'.a'.repeat(40)}`, /exceeded maxDepth/],
    [`${'!'.repeat(300)}args.x`, /exceeded maxAstNodes/],
    [`[${'1,'.repeat(200)}1]`, /exceeded max/],
    ['args.a\n  >', /^expression `args\.a >`: [^\n]*$/],
  ]
  for (const [text, expected] of rows)
    assert.throws(
      () => compileExpression(text),
      (error) => {
        assert.ok(error instanceof PlimsollError && error.code === 'document_invalid')
        assert.match(error.message, expected)
        assert.doesNotMatch(error.message, /\n/)
        return true
      },
      text,
    )
})

test('arguments beyond the limits are not known', () => {
  const text = 'args.x == args.x'
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])
  const rows: [unknown, boolean | undefined][] = [
    ['a'.repeat(16_384), true],
    ['a'.repeat(16_385), undefined],
    [Array.from({ length: 256 }, (_, i) => i), true],
    [Array.from({ length: 257 }, (_, i) => i), undefined],
    [{ a: 'a'.repeat(10_000), b: 'b'.repeat(10_000) }, undefined],
    [nested(16), true],
    [nested(17), undefined],
  ]
  for (const [x, expected] of rows) assert.equal(valueOf(text, { x }), expected)
  const split = compileExpression('size(args.x.split(","))')
  assert.equal(split.evaluate({ x: ','.repeat(200) }), 201)
  assert.equal(split.evaluate({ x: ','.repeat(4097) }), undefined)
  assert.equal(valueOf('args.x.split(",")', { x: ','.repeat(300) }), undefined)
})

test('lists that are walked within lists are short ones', () => {
  const list = Array.from({ length: 47 }, (_, i) => `entry-${i}`)
  const nested = compileExpression('args.a.all(x, args.a.all(y, x == y || x != y))')
  const split = compileExpression('args.s.split("").all(c, args.s.contains(c + "b") || c != "")')
  assert.equal(nested.evaluate({ a: list }), true)
  assert.equal(split.evaluate({ s: 'a'.repeat(4096) }), true)
  assert.equal(nested.evaluate({ a: [...list, 'one', 'more'] }), undefined)
})

test('no text makes it throw anything but document_invalid, and no argument makes it throw', () => {
  const pieces =
    `args . a b "x" 1 2.5 ( ) [ ] == > && || ! - + * % / ? : , in size .exists( x has( { } true null \\`.split(
      ' ',
    )
  let state = 7
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const values: unknown[] = [
    1,
    'x',
    null,
    true,
    [1, 'x'],
    { b: [null] },
    -0,
    1e300,
    [[[]]],
    { constructor: 1 },
  ]
  let compiledTexts = 0
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + random(9) }, () => pieces[random(pieces.length)] ?? '').join(
      random(2) ? ' ' : '',
    )
    try {
      const compiled = compileExpression(text)
      compiledTexts++
      for (const a of values) compiled.evaluate({ a, b: values[random(values.length)] })
    } catch (error) {
      assert.ok(error instanceof PlimsollError && error.code === 'document_invalid', text)
    }
  }
  assert.ok(compiledTexts > 100)
})
