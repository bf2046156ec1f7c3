import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appealWords, reasonParts, suggestionFor } from './appeal-words.js'

test('what an appeal says', () => {
  assert.equal(appealWords({ verdict: 'confirm', expected: 'allow' }), 'asked for nothing')
  assert.equal(appealWords({ verdict: 'block', expected: 'allow' }), 'blocked for nothing')
  assert.match(appealWords({ verdict: 'allow', expected: 'block' }), /did harm/)
})

test('a reason has an origin and a code, whatever it is', () => {
  assert.deepEqual(reasonParts('confirmation:ask-mail'), { origin: 'policy: ask a human', code: 'ask-mail' })
  assert.deepEqual(reasonParts('new:a:b'), { origin: 'new', code: 'a:b' })
  assert.deepEqual(reasonParts('constructor:x'), { origin: 'constructor', code: 'x' })
  assert.deepEqual(reasonParts('none'), { origin: '', code: 'none' })
})

test('a suggestion needs more than one appeal of what was stopped, and half of it', () => {
  const counts = { name: 'r', asked: 4, blocked: 0, sessions: 2, needless: 0, harmful: 0 }
  assert.equal(suggestionFor(counts), undefined)
  assert.equal(suggestionFor({ ...counts, asked: 1, needless: 1 }), undefined)
  assert.equal(suggestionFor({ ...counts, asked: 10, needless: 2 }), undefined)
  assert.match(suggestionFor({ ...counts, needless: 2 }) ?? '', /allowlist/)
  assert.match(suggestionFor({ ...counts, harmful: 1 }) ?? '', /blocklist/)
})
