import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './issues.js'

test('what a word was meant to be', () => {
  const names = ['tools', 'followedBy', 'atMost', 'tier', 'send_mail', 'x'.repeat(65)]
  const rows: [string, string | undefined][] = [
    ['tols', 'tools'],
    ['toosl', 'tools'],
    ['followed_by', 'followedBy'],
    ['at-most', 'atMost'],
    ['TIER', 'tier'],
    ['send_mial', 'send_mail'],
    ['teir', 'tier'],
    ['within', undefined],
    ['', undefined],
    ['x'.repeat(65), undefined],
  ]
  for (const [word, meant] of rows) assert.equal(nearest(word, names), meant, word)
  assert.equal(nearest('tools', []), undefined)
})
