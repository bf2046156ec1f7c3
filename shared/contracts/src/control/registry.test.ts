import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesTool } from './registry.js'

test('tool patterns', () => {
  const rows: [pattern: string, name: string, matches: boolean][] = [
    ['send', 'send', true],
    ['send', 'sender', false],
    ['send', 'resend', false],
    ['*', 'anything', true],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['**', 'a', true],
    ['send_*', 'send_', true],
    ['send_*', 'send_email', true],
    ['*_email', 'send_email', true],
    ['*_email', 'send_emails', false],
    ['mcp__*__send_*', 'mcp__mail__send_email', true],
    ['mcp__*__send_*', 'mcp__mail__read', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['*ab', 'aab', true],
    ['*a*a', 'a', false],
    ['a.c', 'abc', false],
    ['[a]', 'a', false],
    ['Send', 'send', false],
  ]
  for (const [pattern, name, matches] of rows)
    assert.equal(matchesTool(pattern, name), matches, `${pattern} on ${name}`)
})

/** The pattern as a regular expression: slow on some patterns, hard to get wrong. */
function oracle(pattern: string, name: string): boolean {
  const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${escaped.replaceAll(/\*+/g, '.*')}$`, 's').test(name)
}

test('the matcher agrees with a regular expression on every short pattern and name', () => {
  const words = (letters: string, lengthMax: number): string[] => {
    const all = ['']
    for (let from = 0, length = 1; length <= lengthMax; length++) {
      const to = all.length
      for (; from < to; from++) for (const letter of letters) all.push(`${all[from] ?? ''}${letter}`)
    }
    return all
  }
  const names = words('ab', 5)
  for (const pattern of words('ab*', 5))
    for (const name of names)
      assert.equal(matchesTool(pattern, name), oracle(pattern, name), `${pattern} on ${name}`)
})

test('and on seeded random longer ones', () => {
  let seed = Number(process.env['PLIMSOLL_TEST_SEED'] ?? 20_261_121)
  const first = seed
  const draw = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 4_294_967_296) * below)
  }
  const text = (letters: string, length: number) =>
    Array.from({ length }, () => letters[draw(letters.length)] ?? '').join('')
  for (let i = 0; i < 20_000; i++) {
    const pattern = text('ab_.*', draw(9))
    const name = text('ab_.', draw(14))
    assert.equal(matchesTool(pattern, name), oracle(pattern, name), `${pattern} on ${name}, seed ${first}`)
  }
})
