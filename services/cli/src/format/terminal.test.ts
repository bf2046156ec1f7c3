import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { askOn } from './terminal.js'

function terminal() {
  const [input, output, abort] = [new PassThrough(), new PassThrough(), new AbortController()]
  return { input, output, abort, ask: askOn({ input, output, signal: abort.signal }) }
}

test('gives the line that is typed, after the question was shown', async () => {
  const { input, output, ask } = terminal()
  const answer = ask('approve? [y/N] ')
  assert.equal(String(output.read()), 'approve? [y/N] ')
  input.write('yes\nmore')
  assert.equal(await answer, 'yes')
})

test('anyone who leaves answers with an empty line', async () => {
  const ended = terminal()
  const left = ended.ask('approve? ')
  ended.input.end()
  assert.equal(await left, '')
  const asked = terminal()
  const aborted = asked.ask('approve? ')
  asked.abort.abort()
  assert.equal(await aborted, '')
  assert.equal(await asked.ask('once more? '), '')
})
