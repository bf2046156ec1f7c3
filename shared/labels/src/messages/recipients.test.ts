import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentText } from '../provenance/argument-text.js'
import { formsOfAuthor } from './authors.js'
import { recipientsOf } from './recipients.js'

test('a person may be named by the address, by what stands before the @, and by each name in it', () => {
  assert.deepEqual(formsOfAuthor('ann.moor@example.com'), ['ann.moor@example.com', 'ann.moor', 'ann', 'moor'])
  assert.deepEqual(formsOfAuthor('Ann Moor <a.moor@example.com>'), ['a.moor@example.com', 'a.moor', 'moor'])
  assert.deepEqual(formsOfAuthor('github-noreply@example.com'), [
    'github-noreply@example.com',
    'github-noreply',
  ])
  assert.deepEqual(formsOfAuthor('bob'), ['bob'])
})

test('a name that somebody shows beside an address is not theirs, and two addresses are nobody', () => {
  const evil = ['eve@evil.example', 'eve']
  for (const author of ['Bob <eve@evil.example>', '"bob@example.com" <eve@evil.example>'])
    assert.deepEqual(formsOfAuthor(author), evil, author)
  for (const author of [
    'bob@example.com@evil.example',
    'bob@example.com eve@evil.example',
    'bob@example.comé.evil.example',
    'bob@example.com>',
    '<bob@example.com> Eve <',
    '@',
    'x'.repeat(200),
  ])
    assert.deepEqual(formsOfAuthor(author), [], author)
})

const recipients = (args: object) => recipientsOf(argumentText(args))?.map(([whole]) => whole)

test('recipients are those of all arguments for them', () => {
  assert.deepEqual(
    recipients({ to: 'ann@example.com', cc: ['bob@example.com; dan@example.com'], body: 'eve@example.com' }),
    ['ann@example.com', 'bob@example.com', 'dan@example.com'],
  )
  assert.equal(recipients({ body: 'hello' }), undefined)
  assert.deepEqual(recipients({ user_google_email: 'me@example.com', to: 'ann@example.com' }), [
    'ann@example.com',
  ])
})

test('they are not known where the step may go elsewhere too', () => {
  for (const args of [
    { to: 'ann@example.com', webhook: 'https://example.com/x' },
    { to: 'ann@example.com\nBcc: eve@example.com' },
    { to: Array.from({ length: 9 }, (_, i) => `u${i}@example.com`) },
    { to: 'a'.repeat(300) },
    { to: 'bob@example.com eve@evil.example' },
  ])
    assert.equal(recipients(args), undefined, JSON.stringify(args).slice(0, 80))
})
