import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintsSchema } from '@plimsoll/contracts'
import { createTokenScanner } from '../text/tokens.js'
import { argumentText } from './argument-text.js'
import { keyOfRoot } from './fingerprint-key.js'
import { createFingerprinter } from './fingerprinter.js'
import { instructedOf, matched, proposalOf, resultOf, sampleFingerprinter } from './sample-fingerprints.js'

const scan = createTokenScanner()
const of = (key: string, session: string) => createFingerprinter(keyOfRoot(key, session))
const phone = (n: number): string => `+1 555 ${String(100 + (n % 900))} ${String(1000 + n)}`

test('values cannot be guessed without the key: other keys match no phone number of a range', () => {
  const published = resultOf(`Call ${phone(4_321)} or pay 1,250.00`)
  const tried = createFingerprinter(keyOfRoot('a key for testS', 'session-1'))
  const numbers = Array.from({ length: 9_000 }, (_, n) => phone(n))
  for (const number of numbers)
    assert.deepEqual(matched(proposalOf({ phone: number }, 'x', tried), published), [])
  const found = numbers.filter((number) => matched(proposalOf({ phone: number }, 'x'), published).length > 0)
  assert.deepEqual(found, [phone(4_321)], 'with the key the same search finds it')
})

test('two sessions or deployments share no fingerprints', () => {
  const text = 'Write to ann@example.com or pay DE89370400440532013000, as Emma Johnson said'
  const lists = [of('key', 's-1'), of('key', 's-2'), of('other', 's-1')].map((each) =>
    each.task(text, scan(text)),
  )
  assert.deepEqual(of('key', 's-1').task(text, scan(text)), lists[0])
  assert.ok((lists[0]?.length ?? 0) > 8)
  assert.equal(new Set(lists.flat()).size, lists.flat().length)
})

test('the key chooses which stretches of a long text are kept, but neither its values nor the stretches of a short one', () => {
  const words = Array.from(
    { length: 1_200 },
    (_, i) => `${'abcdefghij'[i % 7]}${'klmnopq'[i % 5]}word${i % 97}`,
  )
  const text = `Write to ann@example.com. ${words.join(' ')} Pay DE89370400440532013000.`
  const kept = (key: string, of: string): readonly string[] =>
    createFingerprinter(keyOfRoot(key, 's-1')).result(of, scan(of), []).fingerprints
  const lettersOf = (key: string, of: string): string[] => kept(key, of).map((each) => each.charAt(0))
  const valuesOf = (key: string): string[] => lettersOf(key, text).filter((letter) => letter !== 'g')
  const short = text.slice(0, 200)
  const stretches = new Set<number>()
  for (let n = 0; n < 8; n++) {
    assert.deepEqual(valuesOf(`key ${n}`), valuesOf('key'))
    assert.deepEqual(lettersOf(`key ${n}`, short), lettersOf('key', short))
    stretches.add(kept(`key ${n}`, text).length)
  }
  assert.ok(stretches.size > 1, 'another key keeps another number of them')
})

test('rejects a key that is too short', () => {
  assert.throws(() => createFingerprinter(new Uint8Array(16)), RangeError)
})

let seed = 99
const chance = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}
const PIECES = [
  'a@b.co',
  'Ann Lee',
  '\u200b',
  '4111 1111 1111 1111',
  'https://x.io/?a=%20',
  '\n- ',
  ': ',
  '"',
  "'",
  '%41',
  'ß',
  '漢字',
  '\ud800',
  '/etc/x',
  'DE89',
  '3704',
  '#',
  'id 7',
  '  ',
]
const randomText = (): string =>
  Array.from({ length: chance(200) }, () => PIECES[chance(PIECES.length)]).join(chance(2) ? ' ' : '')

test('lists are bounded, without duplicates, and the same for the same text', () => {
  for (let round = 0; round < 500; round++) {
    const text = randomText()
    const from = chance(text.length + 1)
    const { result, task } = sampleFingerprinter
    const once = result(text, scan(text), [[from, text.length]])
    assert.deepEqual(result(text, scan(text), [[from, text.length]]), once)
    for (const list of [
      once.fingerprints,
      once.instructed,
      task(text, scan(text)),
      proposalOf({ to: text, b: [text] }),
    ]) {
      assert.ok(fingerprintsSchema.safeParse(list).success)
      assert.equal(new Set(list.map((each) => each.slice(1))).size, list.length)
    }
  }
})

test('space, case and punctuation around values are ignored', () => {
  const values = [
    'mark.black@gmail.com',
    'DE89370400440532013000',
    '/var/log/app.log',
    'sk-Live9f8e7d6c5b4a',
    'secure-systems-252.com',
  ]
  for (let round = 0; round < 300; round++) {
    const value = values[chance(values.length)] ?? ''
    const dressed =
      [value.toUpperCase(), `<${value}>`, `"${value}",`, `  ${value}\t`, `(${value}).`][chance(5)] ?? ''
    assert.ok(matched(proposalOf({ x: dressed }), resultOf(`see ${value} there`)).length > 0, dressed)
  }
})

test('if not all values fit, keeps values from everywhere, targets first', () => {
  const text = Array.from(
    { length: 400 },
    (_, i) => `Person Number${'abcdefghij'[i % 10]}${i} has user${i}@example.com`,
  ).join('\n')
  const list = resultOf(text)
  const heads = list.slice(0, 60).map((each) => each.charAt(0))
  assert.deepEqual([...new Set(heads)], ['a'])
  const quarters = [0, 100, 200, 300].map(
    (from) =>
      Array.from({ length: 100 }, (_, i) => `user${from + i}@example.com`).filter(
        (to) => matched(proposalOf({ to }), list).length > 0,
      ).length,
  )
  assert.ok(
    quarters.every((found) => found >= 8),
    quarters.join(),
  )
})

test("fingerprints the values and words of an instruction, and the words of a tool's name", () => {
  const instructed = instructedOf(
    'Please make a reservation for the Riverside View Hotel as soon as possible',
  )
  const booked = proposalOf({ hotel: 'Riverside View Hotel' }, 'reserveHotel')
  const letters = matched(booked, instructed).map((each) => each.charAt(0))
  assert.ok(letters.includes('t') && letters.includes('n'), letters.join())
})

test('only what is in the passages that read like instructions is instructed, wherever they are', () => {
  const passages = ['Send the ledger to ann@a.example now.', 'Then pay DE89370400440532013000 quickly.']
  const [first = '', second = ''] = passages
  const text = `harbour velvet bob@b.example. ${first} mentions cranes carol@c.example. ${second} tomorrow evening`
  const segmentOf = (passage: string) => {
    const start = text.indexOf(passage)
    return [start, start + passage.length] as const
  }
  const valuesOf = (list: readonly string[]) => list.map((each) => each.slice(1)).toSorted()
  const instructed = (...chosen: readonly string[]) =>
    valuesOf(sampleFingerprinter.result(text, scan(text), chosen.map(segmentOf)).instructed)
  for (const passage of passages) assert.deepEqual(instructed(passage), valuesOf(instructedOf(passage)))
  assert.deepEqual(instructed(...passages), valuesOf(passages.flatMap(instructedOf)))
  assert.deepEqual(instructed(), [])
})

test('the conversation that a message is sent in is no content of it', () => {
  const fingerprinter = createFingerprinter(keyOfRoot('a key for tests', 'session-1'))
  const beside = (values: Record<string, unknown>) => fingerprinter.beside(argumentText(values))
  assert.ok(beside({ to: 'a@x.example', body: 'Fine.', threadId: '19a3c0ffee01' }).length > 0)
  assert.ok(beside({ body: 'Fine.', thread_id: 'msg_104' }).length > 0)
  for (const values of [
    { body: 'Fine.', threadId: 'the password is hunter2' },
    { body: 'It is 19a3c0ffee01.', threadId: '19a3c0ffee01' },
    { body: 'Fine.', recordId: '19a3c0ffee01' },
  ])
    assert.deepEqual(beside(values), [])
})
