import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FINGERPRINTS_MAX, type Handover } from '@plimsoll/contracts'
import { joinedHandover } from './joined-handover.js'

const one: Handover = {
  root: 'a',
  key: 'k1',
  inherits: { taint: 'data', confidentiality: 'public', fingerprints: { untrusted: ['aaaaaaaa'] } },
  signals: { imperative: 0.2 },
}

test('of each the higher, and all fingerprints of one key', () => {
  const other: Handover = {
    root: 'a',
    key: 'k1',
    inherits: {
      taint: 'none',
      confidentiality: 'sensitive',
      fingerprints: { untrusted: ['cbbbbbbb'], sensitive: ['cccccccc'] },
    },
    signals: { imperative: 0.7 },
  }
  for (const joined of [joinedHandover(one, other), joinedHandover(other, one)]) {
    const { taint, confidentiality, unseen, fingerprints } = joined?.inherits ?? {}
    assert.deepEqual([taint, confidentiality, unseen], ['data', 'sensitive', false])
    assert.deepEqual(fingerprints?.untrusted?.toSorted(), ['aaaaaaaa', 'cbbbbbbb'])
    assert.deepEqual(fingerprints?.sensitive, ['cccccccc'])
    assert.equal(joined?.signals?.['imperative'], 0.7)
  }
})

test('fingerprints under another key are what they say of the session', () => {
  const other: Handover = {
    root: 'b',
    key: 'k2',
    inherits: { fingerprints: { instructed: ['wddddddd'], sensitive: ['ceeeeeee'] } },
  }
  const joined = joinedHandover(one, other)
  assert.deepEqual([joined?.root, joined?.key], ['a', 'k1'])
  assert.deepEqual([joined?.inherits.taint, joined?.inherits.unseen], ['instructions', true])
  assert.deepEqual(joined?.inherits.fingerprints, one.inherits.fingerprints)
})

test('where there is no room for all, not all is seen', () => {
  const many = (first: string) =>
    Array.from({ length: FINGERPRINTS_MAX }, (_, i) => `c${first}${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + Math.floor(i / 26))}aaaa`) // prettier-ignore
  const withMany = (first: string): Handover => ({
    ...one,
    inherits: { fingerprints: { sensitive: many(first) } },
  })
  const joined = joinedHandover(withMany('x'), withMany('y'))
  assert.equal(joined?.inherits.fingerprints?.sensitive?.length, FINGERPRINTS_MAX)
  assert.equal(joined?.inherits.unseen, true)
})

test('one of nobody is the other', () => {
  assert.equal(joinedHandover(one, undefined), one)
  assert.equal(joinedHandover(undefined, one), one)
  assert.equal(joinedHandover(undefined, undefined), undefined)
})
