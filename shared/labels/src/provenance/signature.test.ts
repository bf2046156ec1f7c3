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
      closing.replace(/[,!]$/, ''),
    ])
  for (const closing of ['Looking forward to working with you,', 'I’m looking forward to Bo Ek'])
    assert.deepEqual(signed(`${BODY}\n\n${closing}\nAnn Lee`), ['Ann Lee'])
  assert.deepEqual(signed(`${BODY}\n\nAnn Lee`), [])
  assert.deepEqual(signed(`${BODY} Best regards, Ann`), ['Ann', 'Best regards'])
  for (const end of [
    'give my best regards, Ann',
    'Best regards, Ann. Bo',
    'Best regards, Ann\nBo',
    'Best, Ann and Bo Ek',
  ])
    assert.deepEqual(signed(`${BODY} ${end}`).slice(0, -1), [], end)
})

test('what has digits, is long or goes on is no signature', () => {
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn Lee\nDE89370400440532013000`), [])
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn\n${'and then she wrote '.repeat(4)}`), [])
  assert.deepEqual(signed(`${BODY}\nBest,\na\nb\nc\nd\ne`), [])
})

test('is quick on hostile text', () => {
  assert.deepEqual(signed('best '.repeat(200_000)), [])
  assert.deepEqual(signed(`${'\n'.repeat(60_000)}x`), [])
  assert.deepEqual(signed(`${'i am zz '.repeat(2_000)}\nBest,\nzz`), ['zz', 'Best'])
  assert.deepEqual(signed(`${BODY}${'. best, '.repeat(60_000)}`), [])
  assert.deepEqual(signed(`${BODY}\n${'looking forward to '.repeat(30_000)}`), [])
})

test('who is written about is content, also where the name stands below', () => {
  for (const about of ['Ask Ann Lee.', 'I am Ann Lee. Ask Ann Lee.', 'I am not Ann Lee.', 'Siam Ann Lee'])
    assert.deepEqual(signed(`${BODY} ${about}\nBest,\nAnn Lee`), ['Best'], about)
  assert.deepEqual(signed(`${BODY}\nBest,\nAnn Lee\nBo Ek\nann@mail.example\nbo@mail.example`), [
    'Ann Lee',
    'ann@mail.example',
    'Best',
  ])
  assert.deepEqual(signed(`${BODY}\nBest,\nCorrect Horse Battery Staple`), ['Best'])
})

test('who writes may say their name', () => {
  for (const introduction of ['I’m Ann Lee from the team.', 'My name is Ann Lee.', "Hi, I'm Ann Lee"])
    assert.deepEqual(signed(`${introduction} ${BODY}\nBest,\nAnn Lee`), ['Ann Lee', 'Best'], introduction)
})
