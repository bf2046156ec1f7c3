import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readText, TEXT_HEAD_UNITS, TEXT_TAIL_UNITS, TEXT_VALUES_MAX, textOf } from './text-of.js'

const MAX = TEXT_HEAD_UNITS + TEXT_TAIL_UNITS + 3

const cycle: Record<string, unknown> = { name: 'loop' }
cycle['self'] = cycle

const refusing = {
  get secret(): string {
    throw new Error('no')
  },
  plain: 1,
}

const ROWS: readonly [value: unknown, text: string][] = [
  ['as it is', 'as it is'],
  ['\ud800 alone', '\ud800 alone'],
  [12.5, '12.5\n'],
  [true, 'true\n'],
  [null, '\n'],
  [undefined, '\n'],
  [Symbol('x'), '\n'],
  [{ to: ['a@mail.example', 2], sub: { n: null } }, 'to:\na@mail.example\n2\nsub:\nn: \n'],
  [{ ['__proto__']: 'plain' }, '__proto__: plain\n'],
  [Buffer.from('bytes'), 'bytes'],
  [new Error('went wrong'), 'went wrong\n'],
  [new Map<string, unknown>([['k', 'v']]), 'k\nv\n'],
  [new Set(['a', 2]), 'a\n2\n'],
  [{ at: new Date(0) }, 'at:\n"1970-01-01T00:00:00.000Z"\n'],
  [refusing, 'secret: \nplain: 1\n'],
  [Object.create({ inherited: 1 }), ''],
]

test('returns keys and values, one line each', () => {
  for (const [value, text] of ROWS) assert.equal(textOf(value), text)
})

test('reads the beginning and the end of a long text', () => {
  for (const long of [
    `first ${'x'.repeat(10_000_000)} last\n`,
    { a: 'first', b: ['x'.repeat(10_000_000)], c: ' last' },
    { a: 'first', b: Array.from({ length: 20_000 }, () => 'word'), c: ' last' },
    Buffer.from(`first ${'x'.repeat(10_000_000)} last\n`),
  ]) {
    const text = textOf(long)
    assert.ok(text.length <= MAX, `${text.length}`)
    assert.match(text.slice(0, 10), /first/)
    assert.ok(text.includes('…'))
    assert.ok(text.endsWith(' last\n'))
  }
  const fits = { a: 'x'.repeat(TEXT_HEAD_UNITS), b: 'y'.repeat(TEXT_TAIL_UNITS - 10) }
  assert.equal(textOf(fits), `a: ${fits.a}\nb: ${fits.b}\n`)
})

test('limits depth and count and ends at cycles', () => {
  let deep: unknown = 'bottom'
  for (let i = 0; i < 10_000; i++) deep = i % 2 === 0 ? [deep] : { deep }
  assert.ok(textOf(deep).length < 1_000)
  assert.doesNotMatch(textOf(deep), /bottom/)
  const holes: unknown[] = []
  holes.length = 1e9
  assert.ok(textOf(cycle).length < 1_000)
  assert.equal(textOf(holes).length <= TEXT_VALUES_MAX, true)
})

class Stored {
  readonly shown = 'shown'
  #kept = 'kept'
  toJSON(): unknown {
    return this.#kept
  }
}

const throwing = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('no')
    },
  },
)

const WHOLE: readonly unknown[] = [
  'a text',
  7,
  true,
  null,
  10n,
  [],
  [1, 'a', [null]],
  { a: { b: ['c'] } },
  Object.create(null),
  JSON.parse('{"__proto__": 1}'),
  { content: [{ type: 'text', text: 'hello' }] },
  { type: 'image', name: 'harbour.png' },
  new Map([['a', 1]]),
  new Set(['a']),
  new Date(0),
  new URL('https://a.example'),
  new Error('went wrong'),
  Buffer.from('bytes that are text'),
  'see data:text/plain,hello',
]

const NOT_WHOLE: readonly unknown[] = [
  'x'.repeat(TEXT_HEAD_UNITS + TEXT_TAIL_UNITS + 1),
  Array.from({ length: TEXT_VALUES_MAX + 1 }, () => 1),
  cycle,
  refusing,
  throwing,
  new Stored(),
  { at: new Stored() },
  () => 'a text',
  { run: () => 1 },
  Symbol('x'),
  new Error('went wrong', { cause: 'kept' }),
  new AggregateError([new Error('kept')], 'went wrong'),
  Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  new Float64Array([1, 2]),
  new ArrayBuffer(4),
  { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
  { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
  { content: [{ type: 'resource', resource: { uri: 'a:b', blob: 'AAAA' } }] },
  [{ type: 'image_url', image_url: { url: 'https://a.example/x.png' } }],
  '{"content": [{"type": "image", "data": "AAAA"}]}',
  'here: data:image/png;base64,AAAA',
  { picture: 'data:application/pdf;base64,AAAA' },
  new Promise(() => undefined),
]

test('reports whether the text is complete', () => {
  for (const [i, value] of WHOLE.entries()) assert.equal(readText(value).isWhole, true, `whole ${i}`)
  for (const [i, value] of NOT_WHOLE.entries()) assert.equal(readText(value).isWhole, false, `not whole ${i}`)
})
