import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson, digestOf, versionOf } from './canonical.js'

test('canonical JSON sorts keys by code units, at every depth, and leaves out what JSON cannot hold', () => {
  const rows: [unknown, string][] = [
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ 10: 1, 9: 2, a: 3, A: 4, '': 5 }, '{"":5,"10":1,"9":2,"A":4,"a":3}'],
    [{ '€': 1, '\r': 2, '1': 3, '😀': 4, ö: 5 }, '{"\\r":2,"1":3,"ö":5,"€":1,"😀":4}'],
    [[{ z: [{ y: 1, x: 2 }] }], '[{"z":[{"x":2,"y":1}]}]'],
    [{ a: undefined, b: null, c: Number.NaN }, '{"b":null,"c":null}'],
    [[undefined, 1], '[null,1]'],
    [{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
    [[1e21, 1e-7, -0, 0.1, 333333333.3333332], '[1e+21,1e-7,0,0.1,333333333.3333332]'],
    ['"\u2028\u0007', '"\\"\u2028\\u0007"'],
    [JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'), '{"__proto__":{"c":2,"d":1},"b":1}'],
    [undefined, 'null'],
  ]
  for (const [value, text] of rows) assert.equal(canonicalJson(value), text)
})

test('equal values have equal digests, whatever the order they were written in', () => {
  assert.equal(digestOf({}), '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a')
  assert.equal(digestOf({ a: [1, { b: 2, c: 3 }] }), digestOf({ a: [1, { c: 3, b: 2 }] }))
  assert.notEqual(digestOf({ a: [1, 2] }), digestOf({ a: [2, 1] }))
  assert.notEqual(digestOf({ a: '1' }), digestOf({ a: 1 }))
  assert.equal(versionOf({}), '44136fa355b3678a1146ad16f7e8649e')
})

/** Sorted the long way: through JSON, and by entries. */
function longWay(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(longWay).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${longWay(member)}`).join(',')}}`
}

/** Values of a seed, of all kinds that a call's arguments may have. */
function madeUp(next: () => number, depth = 0): unknown {
  const kind = Math.floor(next() * (depth > 3 ? 6 : 9))
  if (kind < 6) return [next() * 1e6, `\u2028 "${next()}" \ud800`, next() < 0.5, null, undefined, -0][kind]
  const size = Math.floor(next() * (next() < 0.1 ? 30 : 5))
  const members = Array.from({ length: size }, () => madeUp(next, depth + 1))
  if (kind === 6) return members
  if (kind === 7) return new Map([[1, members]])
  return Object.fromEntries(
    members.map((member) => [`${next() < 0.3 ? '' : 'k'}${Math.floor(next() * 40)}`, member]),
  )
}

test('whichever way it is written, it is the same', () => {
  let state = 7
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let i = 0; i < 3_000; i++) {
    const value = { top: madeUp(next) }
    assert.equal(canonicalJson(value), longWay(JSON.parse(JSON.stringify(value))))
  }
  const circle: Record<string, unknown> = {}
  circle['self'] = [circle]
  assert.throws(() => canonicalJson(circle), TypeError)
  assert.throws(() => canonicalJson({ a: 1n }), TypeError)
  let deep: unknown = 1
  for (let i = 0; i < 500; i++) deep = { b: deep, a: i }
  assert.equal(canonicalJson(deep), longWay(deep))
})
