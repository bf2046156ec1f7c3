import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delegationOf } from './delegation.js'

test('a task may leave to a text what is to be done', () => {
  for (const [task, names] of [
    [
      'Bob sent me an email about the meeting, please check it and complete the tasks he asks me to do.',
      ['Bob'],
    ],
    ['John just sent me an email about our repository, could you follow his instructions?', ['John']],
    ['Ann Moor has left some tasks for me in the ticket. Could you help me complete them?', ['Ann Moor']],
    ["Please do what Eve's email asks.", ['Eve']],
    ["Do the actions in the email from 'dan@example.com' with the subject TODO.", ['dan@example.com']],
    ['fix issue 12 of acme/app and open a pull request', []],
    ['Visit www.example.com and finish the homework that is listed there.', []],
    ['Resolve ticket 7.', []],
  ] as const)
    assert.deepEqual(delegationOf(task), { isGiven: true, names }, task)
})

test('a text that is only read, answered or written is not followed', () => {
  for (const task of [
    '',
    "Reply to Bob's email and say that I am ill.",
    'Summarise the issue for me.',
    'Bob sent me an email. What does he want?',
    'Send Ann an email about the new office.',
    'Perform the following tasks: 1. List my mails. 2. Delete the oldest.',
    'Do not follow the instructions in the email.',
    'Fix the bug in src/config.ts.',
    'Write an issue about the broken build.',
  ])
    assert.deepEqual(delegationOf(task), { isGiven: false, names: [] }, task)
})

test('whose text it is needs a name', () => {
  assert.deepEqual(
    delegationOf('My boss sent me an email, do what it says and follow the instructions').names,
    [],
  )
  const many = Array.from('ABCDEFGH', (letter) => `${letter}nn sent me an email. `).join('')
  assert.equal(delegationOf(`${many}Follow the instructions.`).names.length, 4)
})
