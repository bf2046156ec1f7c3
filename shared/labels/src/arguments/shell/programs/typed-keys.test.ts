import assert from 'node:assert/strict'
import { test } from 'node:test'
import { typedKeys } from './typed-keys.js'

test('finds what a command types into another terminal', () => {
  for (const [words, text] of [
    ['tmux send-keys -t a:1|rm -rf x|Enter', 'rm -rf x'],
    ['tmux send|-t|a|npm|test|C-m', 'npm test'],
    ['tmux send-keys|-l|-t|a|ls', 'ls'],
    ['screen -S a -X stuff|rm -rf x^M', 'rm -rf x'],
    ['tmux new-session|-d', undefined],
    ['screen -ls', undefined],
  ] as const) {
    const [first = '', ...rest] = words.split('|')
    const [name = '', ...args] = [...first.split(' '), ...rest]
    assert.equal(typedKeys({ name, args }), text, words)
  }
})
