import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createObserver } from '../observer.js'
import { keyOfRoot } from './fingerprint-key.js'

/** Only the parts whose cost this test measures. */
const observer = createObserver({
  catalogue: { schema: 1, kind: 'plimsoll.catalogue', name: 'for tests', tools: [] },
  key: keyOfRoot('key', 'session-1'),
  without: ['arguments', 'category', 'instructions'],
})

const repeated = (pattern: string) => (length: number) =>
  pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

let seed = 7
function drawn(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return letters.charAt(Math.floor((seed / 2 ** 32) * letters.length))
  }).join('')
}

const encoded = (encoding: 'base64' | 'hex', times: number) => (length: number) => {
  let text = repeated('account 5512098837 ')(length)
  for (let i = 0; i < times; i++) text = Buffer.from(text).toString(encoding)
  return text.slice(0, length)
}

const PATTERNS = [
  '\\', '\\u', '\\u0041', '\\x41', '\\101', '&', '&#', '&#55;', '&amp;', '%', '%41', '%25', '=41', 'U+0041 ', '<', '<a ', '<!--', '<b>7</b>', '*', '7**', '`', 'a`', '_',
  '__a', '~~', '7', '7 ', '77 ', '7,', 'a ', 'A ', 'K X 4 ', 'A1-', 'a1_', 'a1/', 'a1@', 'a1.', 'aB1', 'AaBb', 'QT-60931 ', 'https://a.example/b1?c=2&', '=', 'QUJDREVGR0hJSktM= ',
  'GB29NWBK60161331926819 ', '12345678901234567890 ', '65 ', '4b ', '0x4b, ', 'JNMC2NBYGIYTO', '٧', '７', '𝟕', '\ufdfa', '7\u200b', '7\u00a0', '7–', 'a\u0300', 'авек ',
  '\ud800', '\u0000', '"a" ', '"type": ', 'data:image/', '\n', ': ', '(', 'id 7 ', '#7 ', 'ann@b.example ', 'Ann Lee ', '+49 30 1234 ',
] // prettier-ignore

const INPUTS: readonly (readonly [name: string, make: (length: number) => string])[] = [
  ...PATTERNS.map((pattern) => [JSON.stringify(pattern), repeated(pattern)] as const),
  ['letters and digits as drawn', drawn],
  ['the same in fours', (length) => drawn(length).replace(/.{4}/g, '$& ').slice(0, length)],
  ['the same in sixteens', (length) => drawn(length).replace(/.{16}/g, '$& ').slice(0, length)],
  ['base64', encoded('base64', 1)],
  ['base64 of base64 of base64', encoded('base64', 3)],
  ['hexadecimal', encoded('hex', 1)],
  ['ids', (length) => Array.from({ length: length / 9 }, (_, i) => `QT-${10_000 + i}`).join(' ')],
]

/** CPU milliseconds, which ignore other load on the machine; the median of five. */
function costOf(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return times.toSorted((a, b) => a - b)[2] ?? 0
}

const propose = (body: string) => observer.proposed({ tool: 'send', arguments: { to: 'a@b.example', body } })
const complete = (result: string) => observer.completed({ tool: 'read', result })

/** The bound is five milliseconds on an idle machine; twice that allows for load. */
const BOUND_MS = 10

for (const [name, make] of INPUTS)
  test(`reads within the time bound and about linearly: ${name}`, () => {
    const [small, large] = [make(8_192), make(65_536)]
    for (const read of [propose, complete]) {
      for (let i = 0; i < 5; i++) read(small)
      const found: string[] = []
      // Retried because other load on the machine can slow one attempt.
      for (let attempt = 0; attempt < 3; attempt++) {
        const [short, long] = [costOf(() => read(small)), costOf(() => read(large))]
        if (short <= BOUND_MS && long <= 10 + 16 * short) break
        found.push(`${short} ms, then ${long} ms`)
      }
      assert.ok(found.length < 3, found.join('; '))
    }
  })
