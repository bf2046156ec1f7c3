import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf } from './steps.js'

/** How many times as many steps 1,000 parts take as 250. */
const growthOf = (read: (text: string) => unknown, part = 'a'): number =>
  stepsOf(() => read(part.repeat(1_000))) / stepsOf(() => read(part.repeat(250)))

const isAbout = (found: number, expected: number): void =>
  assert.ok(Math.abs(found / expected - 1) < 0.2, `${found}, expected about ${expected}`)

test('the same work takes the same steps', () => {
  const work = () =>
    'a-b-c '
      .repeat(100)
      .split('-')
      .map((part) => part.toUpperCase())
  stepsOf(work)
  assert.equal(stepsOf(work), stepsOf(work))
})

test('linear work grows as its text', () => {
  isAbout(growthOf((text) => { let n = 0; for (const c of text) if (c === 'b') n += 1; return n }), 4) // prettier-ignore
  isAbout(
    growthOf((text) => /[ab]+c|^a*$/.exec(text.slice(0, 9)) ?? text.indexOf('b')),
    4,
  )
  isAbout(
    growthOf((text) => text.replace(/a{1,8}/g, 'b')),
    4,
  )
})

test('quadratic work grows as its square, in code, expressions, texts and lists', () => {
  const nested = (text: string) => {
    let n = 0
    for (let i = 0; i < text.length; i++) for (let j = 0; j < i; j++) n += j
    return n
  }
  isAbout(growthOf(nested), 16)
  isAbout(
    growthOf((text) => /a+b/.test(text)),
    16,
  )
  isAbout(
    growthOf((text) => /(?:a|aa)c|(?=a*)b/.test(text.slice(0, 250))),
    1,
  )
  isAbout(
    growthOf((text) => /(?=a*)b/.test(text.slice(-text.length / 4))),
    16,
  )
  isAbout(
    growthOf((text) => /(?<=b.*)c/.test(text), 'ac'),
    16,
  )
  isAbout(
    growthOf((text) => Array.from(text, (_, i) => text.indexOf('b', i))),
    16,
  )
  isAbout(
    growthOf((text) => Array.from(text, (_, i) => i).filter((i, _, all) => all.includes(-i - 1))),
    16,
  )
})

test('an expression that backtracks without end is stopped', () => {
  assert.throws(() => stepsOf(() => /^(a+)+$/.test(`${'a'.repeat(22)}b`)), /more than/)
})

test('expressions match as the engine matches them', () => {
  const expressions = [/a|ab|abc/, /(a*)*b/, /(?:a|b)*?c/, /(\w+) \1/, /(?<q>["'])[^]*?\k<q>/, /(?<=\$)\d+(?:\.\d{2})?/, /(?<!\$)\b\d+/,
    /^\s*[-*]/m, /[^\]\\]+/u, /\p{L}{2,3}\p{N}/u, /x{2,}?y/i, /(?!ab)a./, /(?:)*a/, /\u{1f600}+./u, /a{,2}/, /[\s\S]$/, /(a)?b\1c/, /(?:a?){3}b/] // prettier-ignore
  const texts = ['abc', 'aab', 'bac', 'the the', `"it's"`, '$12.50 13', 'x\n  - y', 'ab]c', 'éa7', 'XXxY', 'ab aa', '😀😀x', 'a{,2}', '', 'bc', 'abac'] // prettier-ignore
  for (const expression of expressions) for (const text of texts) stepsOf(() => expression.exec(text))
})
