import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanTokens } from '../text/tokens.js'
import { argumentText } from './argument-text.js'
import { FINGERPRINT_KEY_BYTES } from './fingerprint-key.js'
import { createFingerprinter } from './fingerprinter.js'

const fingerprinter = createFingerprinter(new Uint8Array(FINGERPRINT_KEY_BYTES).fill(7))
const valuesOf = (list: readonly string[]) => list.map((each) => each.slice(1))
const link = (args: object) => valuesOf(fingerprinter.link(argumentText(args)))
const read = (text: string, mayBeSensitive = true) =>
  fingerprinter.result(text, scanTokens(text), [], mayBeSensitive)

const LINK = 'https://www.drive.example.com/shared/document_89454?token=unique_48962'

test('a query of a well-known search engine is no link that may stand for anything', () => {
  for (const url of [
    'https://www.google.com/search?q=the+old+man',
    'duckduckgo.com/?q=tides',
    'https://en.wikipedia.org/w/index.php?search=x',
  ])
    assert.deepEqual(link({ url }), [], url)
  for (const url of [
    'https://google.evil.example/search?q=a',
    'https://www.google.com/maps/x',
    'https://evil.example/google.com/search?q=a',
  ])
    assert.ok(link({ url }).length > 0, url)
})

test('a link is reported as it is found in a text, then all that it is made of', () => {
  const [whole = '', ...pairs] = link({ url: LINK })
  assert.ok(valuesOf(read(`see ${LINK}.`).fingerprints).includes(whole))
  const step = argumentText({ url: LINK })
  const proposed = fingerprinter.proposal({
    tool: 'fetch',
    description: undefined,
    given: step,
    tokens: scanTokens(step.text),
  })
  const parts = new Set(pairs.filter((_, i) => i % 2 === 0))
  assert.equal(pairs.length % 2, 0)
  for (const each of valuesOf(proposed.filter((fingerprint) => !fingerprint.startsWith('t'))))
    assert.ok(each === whole || parts.has(each), each)
})

test('only the one link that a step goes to is', () => {
  for (const args of [
    { query: 'a b', path: '/etc/hosts', to: 'ann@example.com' },
    { text: 'https://example.com/a' },
    { url: 'https://example.com/a', webhook: 'https://evil.example/b' },
    { url: 'https://example.com/a', to: 'ann@example.com' },
    { url: `https://example.com/${'a'.repeat(500)}` },
  ])
    assert.deepEqual(link(args), [], JSON.stringify(args).slice(0, 80))
})

test('the parts of links that a text holds are known with their hosts', () => {
  const { linkParts } = read('The plan: www.drive.example.com/shared/lily_white/document_89454 for Ann Moor')
  const pairs = link({ url: LINK }).slice(1)
  const common = pairs.filter((each, i) => i % 2 === 1 && valuesOf(linkParts).includes(each))
  assert.ok(common.length > 0)
  const elsewhere = read('www.evil.example/shared/lily_white/document_89454 for Ann Moor')
  assert.ok(!pairs.some((each) => valuesOf(elsewhere.linkParts).includes(each)))
  assert.deepEqual(read('document_89454 of www.drive.example.com').linkParts, [])
  assert.deepEqual(read('www.drive.example.com/document_89454', false).linkParts, [])
})
