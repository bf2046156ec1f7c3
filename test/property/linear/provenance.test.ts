import { test } from 'node:test'
import { createObserver, keyOfRoot } from '@plimsoll/labels'
import { type Make, assertLinear, repeated } from './growth.js'

/** Only the parts whose steps this test counts. */
const observer = createObserver({
  catalogue: { schema: 1, kind: 'plimsoll.catalogue', name: 'for tests', tools: [] },
  key: keyOfRoot('key', 'session-1'),
  without: ['arguments', 'category', 'instructions'],
})

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

const INPUTS: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(PATTERNS.map((pattern) => [JSON.stringify(pattern), repeated(pattern)])),
  'letters and digits as drawn': drawn,
  'the same in fours': (length) => drawn(length).replace(/.{4}/g, '$& ').slice(0, length),
  'the same in sixteens': (length) => drawn(length).replace(/.{16}/g, '$& ').slice(0, length),
  base64: encoded('base64', 1),
  'base64 of base64 of base64': encoded('base64', 3),
  hexadecimal: encoded('hex', 1),
  ids: (length) => Array.from({ length: length / 9 }, (_, i) => `QT-${10_000 + i}`).join(' '),
}

const propose = (body: string) => observer.proposed({ tool: 'send', arguments: { to: 'a@b.example', body } })
const complete = (result: string) => observer.completed({ tool: 'read', result })

const UNITS = 2_000

test('what is proposed is read in steps that grow as its text', () => assertLinear(propose, INPUTS, UNITS))
test('what is completed is read in steps that grow as its text', () => assertLinear(complete, INPUTS, UNITS))
