import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanTokens } from '../text/tokens.js'
import { argumentText } from './argument-text.js'
import { FINGERPRINT_KEY_BYTES } from './fingerprint-key.js'
import { createFingerprinter } from './fingerprinter.js'

const fingerprinter = createFingerprinter(new Uint8Array(FINGERPRINT_KEY_BYTES).fill(7))
const valuesOf = (list: readonly string[]) => list.map((each) => each.slice(1))
const links = (args: object) => fingerprinter.links(argumentText(args))
const [HOST = ''] = valuesOf(links({ url: 'example.com' })[0] ?? [])
const read = (text: string, mayBeSensitive = true) =>
  fingerprinter.result(text, scanTokens(text), [], mayBeSensitive)

test('a link is reported as it is found in a text, then all that it is made of', () => {
  const url = 'https://www.drive.example.com/shared/document_89454?token=unique_48962'
  const [link = []] = links({ url })
  const [whole = '', ...parts] = valuesOf(link)
  assert.ok(valuesOf(read(`see ${url}.`).fingerprints).includes(whole))
  const step = argumentText({ url })
  const proposed = fingerprinter.proposal({
    tool: 'fetch',
    description: undefined,
    given: step,
    tokens: scanTokens(step.text),
  })
  for (const each of proposed.filter((fingerprint) => !fingerprint.startsWith('t')))
    assert.ok(valuesOf(link).includes(each.slice(1)), each)
  assert.ok(parts.length >= 3)
})

test('only links are, four at most, and none that is long', () => {
  assert.deepEqual(links({ query: 'a b', path: '/etc/hosts', to: 'ann@example.com' }), [])
  assert.equal(links({ text: 'https://example.com/a' }).length, 1)
  assert.equal(links({ urls: Array.from({ length: 9 }, (_, i) => `https://example.com/${i}`) }).length, 4)
  assert.deepEqual(links({ url: `https://example.com/${'a'.repeat(3_000)}` }), [])
})

test('links made of words are plain, with their parts', () => {
  const { plain, fingerprints } = read(
    'The plan: www.drive.example.com/shared/lily_white/document_89454 for Ann Moor',
  )
  const [, ...parts] = valuesOf(
    links({ url: 'www.drive.example.com/shared/lily_white/document_89454' })[0] ?? [],
  )
  assert.ok(plain.length >= 3)
  for (const each of plain) assert.ok(fingerprints.includes(each))
  assert.ok(parts.some((part) => valuesOf(plain).includes(part)))
})

test('nothing but the host is plain of what a key may be, that stands elsewhere too, or that nobody says is sensitive', () => {
  for (const text of [
    'reset: https://example.com/reset/8f3a9c01d2e4b567',
    'reset: https://example.com/reset?code=482913',
    'card 5500 0000 0000 0004, password hunter2-blue',
  ])
    assert.deepEqual(valuesOf(read(text).plain), text.includes('example.com') ? [HOST] : [], text)
  const twice = read('https://example.com/case_48217 is about case_48217')
  const [, ...parts] = valuesOf(links({ url: 'https://example.com/case_48217' })[0] ?? [])
  assert.ok(!parts.some((part) => part !== '' && valuesOf(twice.plain).includes(part) && /case/.test(part)))
  assert.deepEqual(read('www.example.com/a_plan', false).plain, [])
})
