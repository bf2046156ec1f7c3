import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReportedGift, ReportedPayee } from '@plimsoll/contracts'
import { SENSITIVE, SOUGHT, TASK, TRUSTED, UNTRUSTED } from '../labels/safety-state.js'
import { NO_PAYEES, addPayees, compareGift, isPayeesText } from './payees.js'
import { NO_SOURCES, addSource } from './sources.js'

const KNOWN = 'cknownaa'
const OTHER = 'cotheraa'
const MILLER = 'nmillera'
const MOOR = 'nmooraaa'

type Text = readonly [source: number, ...reported: ReportedPayee[]]

const read = (...texts: readonly Text[]): string =>
  texts.reduce((payees, [source, ...reported]) => addPayees(payees, reported, source), NO_PAYEES)

const gift = { accounts: [OTHER] }

test('another account of the same payee conflicts, by the name in the step or by the task and the other text', () => {
  const book: Text = [TRUSTED | SENSITIVE, { account: KNOWN, names: [MILLER] }]
  const mail: Text = [UNTRUSTED, { account: OTHER, names: [MILLER] }]
  const of = (payees: string, sources = NO_SOURCES, step: ReportedGift = gift) =>
    compareGift(payees, sources, step).payee
  const task = addSource(NO_SOURCES, [MILLER], TASK)
  assert.equal(of(read(book, mail), task), 1)
  assert.equal(of(read(mail, book), task), 1)
  assert.equal(of(read(book, mail, [TASK, { names: [MILLER] }])), 1)
  assert.equal(of(read(book, mail)), 0)
  assert.equal(of(read(book, [UNTRUSTED, { account: OTHER, names: [MOOR] }]), task), 0)
  assert.equal(of(read(book, [UNTRUSTED, { account: OTHER }]), NO_SOURCES, { ...gift, names: [MILLER] }), 1)
  // Nobody is named with it: it may be theirs.
  const nameless: Text = [UNTRUSTED, { account: OTHER }]
  assert.equal(of(read(book, nameless), task), 0.5)
  assert.equal(of(read(book, nameless)), 0)
  assert.equal(of(read(book, nameless), task, { ...gift, names: [MOOR] }), 0)
  assert.equal(of(NO_PAYEES, NO_SOURCES, { isCut: true }), 0.5)
  // Seen nowhere: it asks as such.
  assert.equal(of(read(book), task, { ...gift, names: [MILLER] }), 0)
})

test('an account that the task or a trusted result has does not, nor one of another kind', () => {
  const texts: Text[] = [
    [TRUSTED, { account: KNOWN, names: [MILLER] }],
    [UNTRUSTED, { account: OTHER, names: [MILLER] }],
  ]
  const step = { ...gift, names: [MILLER] }
  for (const source of [TASK, TRUSTED]) {
    assert.equal(compareGift(read(...texts, [source, { account: OTHER }]), NO_SOURCES, step).payee, 0)
    assert.equal(compareGift(read(...texts), addSource(NO_SOURCES, [OTHER], source), step).payee, 0)
  }
  const number = { accounts: ['iotheraa'], names: [MILLER] }
  assert.equal(compareGift(read(...texts), addSource(NO_SOURCES, [OTHER], UNTRUSTED), number).payee, 0)
})

test('a value that only messages name is of nobody who vouches', () => {
  const of = (...classes: number[]) =>
    compareGift(
      NO_PAYEES,
      classes.reduce((known, bits) => addSource(known, [OTHER], bits), NO_SOURCES),
      { to: [OTHER] },
    ).payee
  assert.equal(of(UNTRUSTED), 0.5)
  assert.equal(of(UNTRUSTED | SENSITIVE), 0.5)
  assert.equal(of(SENSITIVE), 0.5)
  assert.equal(of(UNTRUSTED | SOUGHT | 8), 0.5)
  for (const vouching of [TASK, TRUSTED, UNTRUSTED | SOUGHT, UNTRUSTED | SOUGHT | SENSITIVE])
    assert.equal(of(UNTRUSTED, vouching), 0)
  assert.equal(of(), 0)
})

test('ten times as much as the task names, else as the texts of the payee', () => {
  const sum = (level: number, currency?: string) => ({ sums: [{ level, ...(currency && { currency }) }] })
  const isTenfold = (payees: string, level: number, currency?: string) =>
    compareGift(payees, NO_SOURCES, { accounts: [OTHER], names: [MOOR], ...sum(level, currency) }).isTenfold
  const task: Text = [TASK, sum(100)]
  assert.deepEqual([isTenfold(read(task), 131), isTenfold(read(task), 132)], [false, true])
  const mail: Text = [UNTRUSTED, { account: OTHER, ...sum(140) }]
  assert.deepEqual([isTenfold(read(mail), 171), isTenfold(read(mail), 172)], [false, true])
  assert.equal(isTenfold(read(task, mail), 140), true)
  assert.equal(isTenfold(read(task, [TRUSTED, { names: [MOOR], ...sum(140) }]), 140), false)
  assert.equal(isTenfold(read(task, [TRUSTED, { names: [MILLER], ...sum(140) }]), 140), true)
  const euros: Text = [TASK, sum(100, 'neurxxxx')]
  assert.equal(isTenfold(read(euros), 200, 'nyenxxxx'), false)
  assert.equal(isTenfold(read(euros), 200, 'neurxxxx'), true)
  assert.equal(isTenfold(read(euros), 200), true)
  assert.equal(isTenfold(read([TASK, sum(1_023)]), 1_023), false)
  assert.equal(isTenfold(NO_PAYEES, 1_000), false)
  // In smallest units.
  const levels = [163, 164, 165]
  assert.deepEqual(
    levels.map((level) => isTenfold(read(task), level, 'neurxxxx')),
    [true, false, true],
  )
  assert.equal(isTenfold(read(task), 164), true)
  assert.equal(isTenfold(read(task, mail), 164, 'neurxxxx'), true)
})

test('what is kept is bounded: untrusted payees go first, the task’s last', () => {
  const many = (letter: string) =>
    Array.from({ length: 12 }, (_, i) => ({
      account: `c${letter.repeat(6)}${String.fromCharCode(97 + i)}`,
      names: [MILLER, MOOR],
    }))
  let payees = addPayees(NO_PAYEES, [{ account: KNOWN, names: [MILLER] }], TASK)
  payees = addPayees(payees, [{ account: 'itrusted', names: [MILLER] }], TRUSTED)
  for (const letter of 'abcdefghijklmnop') payees = addPayees(payees, many(letter), UNTRUSTED)
  assert.ok(payees.length <= 2_048 && isPayeesText(payees))
  assert.ok(payees.startsWith(`T${KNOWN}${MILLER}Ritrusted${MILLER}U`))
  assert.ok(payees.includes('Ucppppppl') && !payees.includes('Ucaaaaaaa'))
  for (const letter of 'abcdefgh') payees = addPayees(payees, many(letter), TRUSTED)
  assert.ok(payees.startsWith(`T${KNOWN}`) && !payees.includes('U') && isPayeesText(payees))
  assert.equal(addPayees(payees, [{ account: KNOWN, names: [MILLER] }], TASK), payees)
  // A letter that no account has.
  assert.equal(addPayees(NO_PAYEES, [{ account: 'nnobodya' }], TASK), NO_PAYEES)
  for (const text of ['T', 'TU', '', `T${KNOWN}${MILLER}saaaaaaaR${MOOR}`])
    assert.ok(isPayeesText(text), text)
  for (const text of ['X', KNOWN, `T${MILLER}${KNOWN}`, `T${KNOWN}${KNOWN}`, `T${KNOWN}x`])
    assert.ok(!isPayeesText(text), text)
})
