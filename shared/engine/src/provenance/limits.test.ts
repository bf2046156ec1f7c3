import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitsSchema } from '@plimsoll/contracts'
import { NO_LIMITS, isForbidden, isLimitsText, limitsAfter, reportOfLimits } from './limits.js'

const PLACE = 'psrcauth'
const TESTS = 'ptestsaa'
const SCRATCH = 'pscratch'
const OTHER = 'potherxx'

test('a change outside of the places that may change is forbidden, under any kind of fingerprint', () => {
  const limits = limitsAfter(NO_LIMITS, { only: [PLACE] })
  assert.equal(isForbidden(limits, [[OTHER, `w${PLACE.slice(1)}`]]), false)
  assert.equal(isForbidden(limits, [[OTHER]]), true)
  assert.equal(isForbidden(limits, [[PLACE], [OTHER]]), true)
  assert.equal(isForbidden(limits, [[]]), true)
  assert.equal(isForbidden(limits, []), false)
  assert.equal(isForbidden(NO_LIMITS, [[OTHER]]), false)
})

test('what stays as it is must not change, inside of those places either', () => {
  const limits = limitsAfter(NO_LIMITS, { only: [PLACE], never: [TESTS] })
  assert.equal(isForbidden(limits, [[PLACE, TESTS]]), true)
  assert.equal(isForbidden(limits, [[PLACE]]), false)
  assert.equal(isForbidden(limitsAfter(NO_LIMITS, { never: [TESTS] }), [[]]), true, 'it may be of anything')
})

test('before a later text asks for a change, only what may change anyway does', () => {
  const waiting = limitsAfter(NO_LIMITS, { waits: [SCRATCH] })
  assert.equal(isForbidden(waiting, [[OTHER]]), true)
  assert.equal(isForbidden(waiting, [[SCRATCH, OTHER]]), false)
  const gone = limitsAfter(waiting, { goes: true })
  assert.equal(isForbidden(gone, [[OTHER]]), false)
  assert.equal(gone, NO_LIMITS)
})

test('a later text lifts what it asks to change, and no more', () => {
  const limits = limitsAfter(NO_LIMITS, { only: [PLACE], never: [TESTS] })
  const later = limitsAfter(limits, { allows: [TESTS] })
  assert.equal(isForbidden(later, [[TESTS]]), false)
  assert.equal(isForbidden(later, [[OTHER]]), true)
  const open = limitsAfter(limitsAfter(NO_LIMITS, { never: [TESTS] }), { allows: [PLACE] })
  assert.equal(isForbidden(open, [[OTHER]]), false, 'it restricts nothing where nothing was restricted')
})

test('a text of an agent adds limits, lifts none, and opens no place beside those of the user', () => {
  const limits = limitsAfter(NO_LIMITS, { only: [PLACE], never: [TESTS], waits: [SCRATCH] })
  const after = limitsAfter(
    limits,
    { only: [OTHER], never: ['pmorexxx'], allows: [TESTS], goes: true },
    false,
  )
  assert.equal(after, limitsAfter(limits, { never: ['pmorexxx'] }))
  assert.equal(limitsAfter(NO_LIMITS, { only: [OTHER] }, false), limitsAfter(NO_LIMITS, { only: [OTHER] }))
})

test('what events report of limits sets the same limits, and is an event’s', () => {
  assert.equal(reportOfLimits(NO_LIMITS), undefined)
  const nth = (n: number): string => `p${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}aaaaa`
  for (const limits of [
    limitsAfter(NO_LIMITS, { only: [PLACE, OTHER], never: [TESTS], waits: [SCRATCH] }),
    limitsAfter(NO_LIMITS, { never: Array.from({ length: 100 }, (_, n) => nth(n)) }),
  ]) {
    const report = limitsSchema.parse(reportOfLimits(limits))
    assert.equal(limitsAfter(NO_LIMITS, report), limits)
  }
})

test('limits are kept once, the first stay, and the text is bounded', () => {
  const limits = limitsAfter(NO_LIMITS, { never: [TESTS, TESTS] })
  assert.equal(limitsAfter(limits, { never: [TESTS] }), limits)
  const nth = (n: number): string => `p${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}aaaaa`
  const full = limitsAfter(limits, { never: Array.from({ length: 100 }, (_, n) => nth(n)) })
  assert.equal(full.length, 48 * 8)
  assert.ok(isLimitsText(full))
  assert.equal(isForbidden(full, [[TESTS]]), true)
})

test('a limit that lies across two others is none', () => {
  const limits = limitsAfter(NO_LIMITS, { never: ['paaaanbb', 'pbbbbbbb'] })
  assert.equal(isForbidden(limits, [['pbbnbbbb']]), false)
})

test('only whole limits, and no more than are kept, can have been written', () => {
  for (const text of ['', 'oabcdefg', 'oabcdefgnabcdefgwabcdefg']) assert.ok(isLimitsText(text), text)
  for (const text of ['o', 'pabcdefg', 'oabcdef1', 'oabcdefg'.repeat(49)])
    assert.ok(!isLimitsText(text), text)
})
