import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFingerprintList } from './handover.js'

const many = (letter: string, count: number, from = 0): string[] =>
  Array.from(
    { length: count },
    (_, i) => letter + String.fromCharCode(97 + ((from + i) % 26)).repeat(2) + base(from + i),
  )
const base = (n: number): string =>
  n
    .toString(26)
    .padStart(5, '0')
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))

for (const [name, lists, first, length, isCut] of [
  ['nothing', [], undefined, 0, false],
  ['nothing reported', [undefined, []], undefined, 0, false],
  ['one value twice, of two kinds', [['gaaaaaaa'], ['iaaaaaaa', 'naaaaaaa']], 'naaaaaaa', 1, false],
  ['as many as fit', [many('i', 128)], many('i', 1)[0], 128, false],
  ['one more: the end of its list is cut', [many('i', 129)], many('i', 1)[0], 128, true],
  [
    'a later list comes before an earlier one',
    [many('i', 100), many('i', 100, 100)],
    many('i', 1, 100)[0],
    128,
    true,
  ],
  ['text alone fills all places', [many('g', 200)], many('g', 1)[0], 128, true],
] as const)
  test(`fingerprint list: ${name}`, () => {
    const known = createFingerprintList()
    for (const list of lists) known.add(list)
    assert.deepEqual([known.list()[0], known.list().length, known.isCut()], [first, length, isCut])
  })

test('fingerprint list: prefers distinctive values, but keeps some text', () => {
  const known = createFingerprintList()
  known.add([...many('i', 60), ...many('g', 60, 200)])
  known.add(many('a', 60, 400))
  const of = (letter: string) => known.list().filter((each) => each.startsWith(letter))
  assert.deepEqual([of('a').length, of('i').length, of('g').length], [60, 36, 32])
  assert.deepEqual(of('i'), many('i', 36))
  assert.deepEqual(of('g'), many('g', 32, 200))
})
