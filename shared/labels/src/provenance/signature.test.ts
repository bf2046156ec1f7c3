import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentText } from './argument-text.js'
import { signaturesIn } from './signature.js'

const BODY = 'Welcome to the team. If you need anything before your first day, write to me.'
const signed = (body: string) => signaturesIn(argumentText({ to: 'a@mail.example', body }))

test('names and addresses below closing words are who sends', () => {
  for (const closing of ['Best regards,', 'Best,', 'Kind regards', 'Thanks!', 'Viele Grüße', 'Cordialement,'])
    assert.deepEqual(signed(`${BODY}\n\n${closing}\nAnn Lee\nann@mail.example`), [
      'Ann Lee',
      'ann@mail.example',
    ])
  assert.deepEqual(signed(`${BODY}\n\nAnn Lee`), [])
  assert.deepEqual(signed(`${BODY} Best regards, Ann`), [])
})

test('what has digits, is long or goes on is no signature', () => {
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn Lee\nDE89370400440532013000`), [])
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn\n${'and then she wrote '.repeat(4)}`), [])
  assert.deepEqual(signed(`${BODY}\nBest,\na\nb\nc\nd\ne`), [])
})

test('is quick on hostile text', () => {
  assert.deepEqual(signed('best '.repeat(200_000)), [])
  assert.deepEqual(signed(`${'\n'.repeat(60_000)}x`), [])
})

test('who is written about is content, also where the name stands below', () => {
  assert.deepEqual(signed(`${BODY} Ask Ann Lee.\nBest,\nAnn Lee`), [])
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn Lee\nBo Ek\nann@mail.example\nbo@mail.example`), [
    'Ann Lee',
    'ann@mail.example',
  ])
  assert.deepEqual(signed(`${BODY}\nBest,\nCorrect Horse Battery Staple`), [])
})
