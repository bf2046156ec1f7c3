import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FOLLOWED, INSTRUCTED, SECOND_HAND, TASK, UNTRUSTED } from '../labels/safety-state.js'
import { NO_SOURCES, addSource, isIn } from '../provenance/sources.js'
import { fingerprint } from '../testing.js'
import { areNamedPrograms, areNamedRecipients, hasStranger, readMessages } from './second-hand.js'

const [BOB, BOB_ADDRESS, OTHER_BOB, ANN] = [1, 2, 3, 4].map((n) => fingerprint(n)) as [
  string,
  string,
  string,
  string,
]
const FILE = fingerprint(5, 'p')
const STRANGER = fingerprint(6, 'a')

const WORD = fingerprint(10, 'w')
const KNOWN = addSource(addSource(NO_SOURCES, [BOB, WORD], TASK), [BOB], FOLLOWED)
const session = { delegates: true, sendsForOther: false, sources: KNOWN }
const mail = (address: string, ...values: string[]) => ({ by: [address, BOB], values })

test('what the message of somebody whom the user says to follow names is named at second hand', () => {
  const { sources, sendsForOther } = readMessages(session, [
    mail(BOB_ADDRESS, FILE),
    { by: [ANN], values: [STRANGER] },
  ])
  assert.ok(isIn(sources, [FILE], SECOND_HAND))
  assert.ok(isIn(sources, [BOB_ADDRESS], SECOND_HAND))
  assert.ok(!isIn(sources, [STRANGER], SECOND_HAND))
  assert.equal(sendsForOther, false)
})

test('addresses, accounts, names and ids in it stay those of strangers', () => {
  const { sources } = readMessages(session, [
    mail(
      BOB_ADDRESS,
      STRANGER,
      fingerprint(7, 'c'),
      fingerprint(8, 'u'),
      fingerprint(9, 'n'),
      fingerprint(11, 'i'),
    ),
  ])
  for (const n of [6, 7, 8, 9, 11]) assert.ok(!isIn(sources, [fingerprint(n)], SECOND_HAND), `${n}`)
})

test('a message that asks to send lets the session send', () => {
  const asking = { ...mail(BOB_ADDRESS), asks: ['send' as const, 'pay' as const] }
  assert.equal(readMessages(session, [asking]).sendsForOther, true)
  assert.equal(readMessages({ ...session, delegates: false }, [asking]).sendsForOther, false)
})

test('nobody is followed where two have the name, in one result or in two', () => {
  const two = readMessages(session, [mail(BOB_ADDRESS, FILE), mail(OTHER_BOB, FILE)])
  assert.deepEqual(two, { sources: KNOWN, sendsForOther: false })
  const first = readMessages(session, [mail(BOB_ADDRESS, FILE)])
  const second = readMessages({ ...session, ...first }, [mail(OTHER_BOB, fingerprint(9, 'p'))])
  assert.deepEqual(second, first)
})

test('a recipient is named as a whole, or by a name if it was read outside of instructions', () => {
  const known = addSource(addSource(KNOWN, [BOB_ADDRESS], UNTRUSTED), [STRANGER], UNTRUSTED | INSTRUCTED)
  for (const [recipients, expected] of [
    [[[BOB]], true],
    [[[BOB_ADDRESS, BOB]], true],
    [[[BOB_ADDRESS, ANN]], false],
    [[[BOB_ADDRESS, `n${WORD.slice(1)}`]], false],
    [[[STRANGER, BOB]], false],
    [[[OTHER_BOB, BOB]], false],
    [[[BOB], [ANN]], false],
    [[], false],
  ] as const)
    assert.equal(areNamedRecipients(known, recipients), expected, JSON.stringify(recipients))
})

test('a program is named only by its own name, however long the task', () => {
  const full = addSource(
    NO_SOURCES,
    Array.from({ length: 128 }, (_, i) => fingerprint(1_000 + i, 'w')),
    TASK,
  )
  assert.equal(areNamedPrograms(addSource(NO_SOURCES, [FILE], TASK), [[FILE]]), true)
  for (const sources of [NO_SOURCES, full, addSource(NO_SOURCES, [FILE], UNTRUSTED)])
    assert.equal(areNamedPrograms(sources, [[FILE]]), false)
  assert.equal(areNamedPrograms(addSource(NO_SOURCES, [FILE], TASK), [[FILE], [ANN]]), false)
})

test('of several recipients a stranger was seen nowhere, and others were', () => {
  const known = addSource(NO_SOURCES, [BOB_ADDRESS], UNTRUSTED)
  assert.ok(hasStranger(known, [[BOB_ADDRESS, BOB], [STRANGER]]))
  assert.ok(!hasStranger(known, [[STRANGER]]))
  assert.ok(!hasStranger(known, [[STRANGER], [ANN]]))
  // A word of the task may stand for it.
  assert.ok(!hasStranger(addSource(known, [WORD], TASK), [[BOB_ADDRESS], [STRANGER, WORD]]))
})
