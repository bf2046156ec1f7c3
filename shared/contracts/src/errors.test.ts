import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERRORS, PlimsollError } from './errors.js'

test('an error says its code, whether trying again helps, and what caused it', () => {
  const cause = new Error('refused')
  const error = new PlimsollError('log_unavailable', 'no broker answers', { cause, details: { brokers: 2 } })
  assert.ok(error instanceof Error)
  assert.deepEqual([error.name, error.code, error.retryable], ['PlimsollError', 'log_unavailable', true])
  assert.deepEqual([error.cause, error.details], [cause, { brokers: 2 }])
  const bare = new PlimsollError('closed', 'the client is closed')
  assert.deepEqual([bare.retryable, bare.details, 'cause' in bare], [false, {}, false])
})

test('each code is in snake case, and its help is one line in lower case', () => {
  for (const [code, { help }] of Object.entries(ERRORS)) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.match(help, /^[a-z][^\n]+[^.\n]$/, code)
  }
})
