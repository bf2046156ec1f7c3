import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INSTRUCTED, SENSITIVE, TASK, TRUSTED, UNTRUSTED } from '../labels/safety-state.js'
import { fingerprint, fingerprints } from '../testing.js'
import {
  type Sources,
  NAMED_MAX,
  SOURCES_MAX,
  addNamedValues,
  addSource,
  blinded,
  isBlind,
  isSources,
  lookUpSources,
} from './sources.js'

function found(sources: Sources, looked: readonly string[]): number[] {
  const bits = new Uint8Array(128)
  lookUpSources(sources, looked, bits)
  return [...bits.subarray(0, looked.length)]
}

test('made-up fingerprints differ', () => {
  assert.equal(new Set(fingerprints(0, 50_000)).size, 50_000)
})

test('finds a seen fingerprint with its class, and no other', () => {
  const read = addSource(addSource('', fingerprints(0, 20), TASK), fingerprints(10, 20), UNTRUSTED)
  const looked = fingerprints(5, 30)
  const expected = looked.map((_, i) => (i < 15 ? TASK : 0) | (i >= 5 && i < 25 ? UNTRUSTED : 0))
  assert.deepEqual(found(read, looked), expected)
})

test('equal values are equal whatever their kind', () => {
  const read = addSource('', [fingerprint(1, 'g'), fingerprint(2, 'a')], TRUSTED)
  assert.deepEqual(found(read, [fingerprint(1, 'w'), fingerprint(2, 'u'), fingerprint(2, 'a')]), [2, 2, 2])
})

test('distinguishes fingerprints with a common prefix', () => {
  const alike = ['nabcdefg', 'nabcdeff', 'nabddefg', 'nabcdega']
  const read = addSource('', alike.slice(0, 2), TASK)
  assert.deepEqual(found(read, alike), [TASK, TASK, 0, 0])
})

test('keeps a fingerprint once per class', () => {
  const read = addSource('', fingerprints(0, 20), UNTRUSTED | SENSITIVE)
  assert.equal(addSource(read, fingerprints(0, 20), UNTRUSTED), read)
  assert.equal(addSource(read, fingerprints(5, 10), SENSITIVE), read)
  assert.equal(addSource(read, fingerprints(10, 12), UNTRUSTED).length, read.length + 1 + 2 * 8)
})

test('forgets plain data first, oldest first, then sensitive data, and the task last', () => {
  let read = addSource('', fingerprints(0, 10), TASK)
  read = addSource(read, fingerprints(100, 100), UNTRUSTED | SENSITIVE)
  read = addSource(read, fingerprints(200, 20), UNTRUSTED | INSTRUCTED)
  for (let i = 3; i < 40; i++) {
    read = addSource(read, fingerprints(i * 100, 100), UNTRUSTED)
    assert.ok(read.length <= SOURCES_MAX && isSources(read))
  }
  assert.deepEqual(new Set(found(read, fingerprints(0, 10))), new Set([TASK]))
  assert.deepEqual(new Set(found(read, fingerprints(100, 100))), new Set([UNTRUSTED | SENSITIVE]))
  assert.deepEqual(new Set(found(read, fingerprints(200, 20))), new Set([UNTRUSTED | INSTRUCTED]))
  assert.deepEqual(new Set(found(read, fingerprints(300, 100))), new Set([0]))
  assert.deepEqual(new Set(found(read, fingerprints(3900, 100))), new Set([UNTRUSTED]))
  assert.ok(!isBlind(read))
  for (let i = 40; i < 60; i++) read = addSource(read, fingerprints(i * 100, 100), TRUSTED | SENSITIVE)
  assert.ok(isBlind(read) && isSources(read) && read.length <= SOURCES_MAX)
  assert.deepEqual(new Set(found(read, fingerprints(0, 10))), new Set([TASK]))
  assert.deepEqual(new Set(found(read, fingerprints(100, 100))), new Set([0]))
})

test('keeps the first, most distinctive fingerprints of a list that is forgotten in part', () => {
  let read = addSource('', fingerprints(0, 100), UNTRUSTED)
  for (let i = 1; found(read, fingerprints(0, 100)).every((bits) => bits !== 0); i++)
    read = addSource(read, fingerprints(i * 100, 30), UNTRUSTED)
  const kept = found(read, fingerprints(0, 100)).map((bits) => bits !== 0)
  assert.ok(kept[0] && !kept.includes(true, kept.indexOf(false)))
})

test('a task that fills everything is bounded too', () => {
  let read = ''
  for (let i = 0; i < 20; i++) read = addSource(read, fingerprints(i * 100, 100), TASK)
  assert.ok(read.length <= SOURCES_MAX && isSources(read) && !isBlind(read))
  assert.deepEqual(new Set(found(read, fingerprints(1900, 100))), new Set([TASK]))
})

test('being blind is said once, and stays', () => {
  const read = addSource(blinded(blinded('')), fingerprints(0, 3), TASK)
  assert.ok(isBlind(read) && isSources(read) && isSources('?') && isSources(''))
  assert.deepEqual(found(read, fingerprints(0, 3)), [TASK, TASK, TASK])
})

test('recognises invalid text', () => {
  const sound = addSource('', fingerprints(0, 3), TASK)
  const bad = [
    'B',
    'x',
    '??',
    sound.slice(1),
    sound.slice(0, -1),
    `${sound}C`,
    `${sound}?`,
    `C${sound}`,
    `${sound}!B`,
  ]
  for (const text of [...bad, `${sound}xabcdefg`, sound.repeat(300)])
    assert.ok(!isSources(text), text.slice(0, 60))
})

/** The same by an unbounded map; equal as long as nothing is forgotten. */
test('random reading agrees with a map', () => {
  let seed = 1
  const below = (n: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * n)
  }
  const classes = [
    TASK,
    TRUSTED,
    UNTRUSTED,
    TRUSTED | SENSITIVE,
    UNTRUSTED | INSTRUCTED,
    UNTRUSTED | SENSITIVE,
  ]
  for (let round = 0; round < 300; round++) {
    const known = new Map<string, number>()
    let read: Sources = below(4) === 0 ? '?' : ''
    for (let i = 0; i < 8; i++) {
      const bits = classes[below(classes.length)] ?? TASK
      const seen = Array.from({ length: below(60) }, () =>
        fingerprint(below(200), 'acupingwtd'.charAt(below(10))),
      )
      read = addSource(read, seen, bits)
      for (const each of seen) known.set(each.slice(1), (known.get(each.slice(1)) ?? 0) | bits)
      assert.ok(isSources(read))
      const looked = fingerprints(below(200), below(128), 'u')
      assert.deepEqual(
        found(read, looked),
        looked.map((each) => known.get(each.slice(1)) ?? 0),
      )
    }
  }
})

test('however full, there is room for the mark', () => {
  for (let left = 90; left <= 96; left++) {
    let read = ''
    for (let i = 0; i < 8; i++)
      read = addSource(read, fingerprints(i * 200, i < 7 ? 96 : left), i % 2 ? UNTRUSTED : TRUSTED)
    const marked = blinded(read)
    assert.ok(isBlind(marked) && isSources(marked) && marked.length <= SOURCES_MAX, `${marked.length}`)
  }
})

describe('what the user names', () => {
  const namedOf = (sources: Sources, from: number, count: number) =>
    found(sources, fingerprints(from, count)).filter((bits) => (bits & TASK) !== 0).length

  test('stays within its limit: keeps the task, forgets the oldest messages first', () => {
    let named = addNamedValues('', fingerprints(0, 100))
    for (let i = 1; i <= 20; i++) {
      named = addNamedValues(named, fingerprints(i * 100, 50))
      const all = Array.from({ length: 21 }, (_, j) => namedOf(named, j * 100, 100))
      assert.ok(all.reduce((sum, count) => sum + count, 0) <= NAMED_MAX && isSources(named))
      assert.deepEqual([all[0], all[i]], [100, 50])
    }
    assert.deepEqual(
      [15, 16, 17, 18, 19, 20].map((i) => namedOf(named, i * 100, 50)),
      [0, 0, 6, 50, 50, 50],
    )
  })

  test('leaves room for results, and displaces none', () => {
    let read = addSource('', fingerprints(50_000, 100), UNTRUSTED | SENSITIVE)
    for (let i = 0; i < 40; i++) read = addNamedValues(read, fingerprints(i * 128, 128))
    assert.deepEqual(new Set(found(read, fingerprints(50_000, 100))), new Set([UNTRUSTED | SENSITIVE]))
    assert.ok(!isBlind(read) && isSources(read))
    const blind = addNamedValues(blinded(addNamedValues(read, [])), fingerprints(60_000, 1))
    assert.ok(isBlind(blind) && isSources(blind))
  })

  test('counts as new where he names it again', () => {
    let named = addNamedValues('', fingerprints(0, 128))
    named = addNamedValues(named, fingerprints(1000, 64))
    named = addNamedValues(named, fingerprints(2000, 64))
    named = addNamedValues(named, fingerprints(1000, 64))
    named = addNamedValues(named, fingerprints(3000, 64))
    assert.deepEqual(
      [0, 1000, 2000, 3000].map((from) => namedOf(named, from, 64)),
      [64, 64, 0, 64],
    )
    assert.equal(addNamedValues(named, fingerprints(0, 64)), named)
  })

  test('is as it was remembered where nothing was named before', () => {
    const read = addSource('', fingerprints(0, 20), UNTRUSTED)
    assert.equal(addNamedValues(read, fingerprints(10, 20)), addSource(read, fingerprints(10, 20), TASK))
  })
})
