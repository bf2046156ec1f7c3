import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitedActs } from './acts-of-task.js'
import { limitsOfTask } from './limits-of-task.js'
import { ACTING, LIMITED_ACTS, nameOfAct, nameOfObject } from './names-of-acts.js'

const [DELETE, PUBLISH, SEND, PUSH] = [
  nameOfAct('delete'),
  nameOfAct('publish'),
  nameOfAct('send'),
  nameOfAct('push'),
]

test('a task forbids acts, in many words', () => {
  const cases: readonly (readonly [task: string, ...names: string[]])[] = [
    ['Fix the bug. Do not push.', PUSH],
    ['Fix it; do not commit or push anything', nameOfAct('commit'), PUSH],
    ["don't publish anything; prepare the release", PUBLISH],
    ['Sort the mails, but never reply to anyone', SEND],
    ['Fix the bug without pushing', PUSH],
    ['Fix it, no commits please', nameOfAct('commit')],
    ["Don't open a pull request yet", nameOfAct('request')],
    ['Fix it, nothing gets pushed', PUSH],
    ["I don't want you to push. Fix it.", PUSH],
    ['Make sure you do not push', PUSH],
    ['Do not under any circumstances push', PUSH],
    ['Pushing is not allowed', PUSH],
    ['Fix the tests; I will push myself', PUSH],
    ['Leave the server running', nameOfAct('stop')],
    ['Bitte noch nicht pushen.', PUSH],
  ]
  for (const [task, ...names] of cases) assert.deepEqual(limitedActs(task).never, names, task)
})

test('what an order is not about is forbidden, and what the user does later', () => {
  for (const [task, ...names] of [
    ['Clean up old branches except release/2.4', 'release/2.4'],
    ["Clean up the branches, but don't delete main or release/2.4", 'main', 'release/2.4'],
    ['Drop the unused tables. Never touch users or orders.', 'user', 'order'],
    ['Drop the unused tables, leave orders alone', 'order'],
    ['Stop all services except nginx', 'nginx'],
    ['Delete the branches fix-1 and fix-2, keep develop', 'develop'],
  ] as const) {
    const { never } = limitedActs(task)
    for (const name of names) assert.ok(never.includes(nameOfObject(name)), `${task}: ${never.join()}`)
  }
  for (const [task, name] of [
    ['Draft an answer to Gerrits, I will send it later', SEND],
    ['write a draft answer to the mail about invoice 118, i look over it', SEND],
    ['get the package ready so I can publish it tonight', nameOfAct('publish')],
  ] as const)
    assert.deepEqual(limitedActs(task).never, [name], task)
  for (const task of [
    'Remove all but the five newest checkpoints',
    'Delete the old reports but not if they are open',
    'Keep the tests green and delete the dead code',
    'except FieldDoesNotExist:\n  delete it',
  ])
    assert.deepEqual(limitedActs(task).never, [], task)
})

test('an act that the task orders waits for the word that it asks for', () => {
  for (const task of [
    'Delete old/ only after I approve',
    "Delete old/, but don't action until I say",
    'Delete old/, but ask me first',
    'Delete the folder old/. Wait for my ok.',
    "Publish nothing and clean up old/ -- ask before deleting. Then delete it when I've approved it",
    'You may delete old/ once I have confirmed.',
    'Let me review before anything is deleted.',
  ])
    assert.ok(limitedActs(task).never.includes(DELETE), task)
  assert.deepEqual(limitedActs('Refactor the login, but ask me first'), {
    never: [],
    allows: [],
    kept: [],
    waits: true,
  })
  const { never, waits } = limitsOfTask("Look at it, but don't action until I say")
  assert.ok(never.includes(ACTING) && waits.includes(ACTING))
  assert.ok(
    limitsOfTask('Only modify files in src/auth').only.includes(ACTING),
    'a place is no limit to acts',
  )
})

test('what a prohibition names alone is forbidden, where it names something', () => {
  const cases: readonly (readonly [task: string, ...names: string[]])[] = [
    ['Do not push to main', nameOfObject('main')],
    ['Do not touch production', nameOfObject('production')],
    ['Deploy to staging; leave prod alone', nameOfObject('production')],
    ["Don't delete the users table. Drop the orders table", nameOfObject('user')],
    ['Do not touch the database', nameOfObject('database')],
    ['The orders table must not be dropped.', nameOfObject('order')],
    ['Deploy to staging, do not deploy to production', nameOfObject('production')],
  ]
  for (const [task, ...names] of cases) assert.deepEqual(limitedActs(task).never, names, task)
})

test('what a text says of a product, conditions and reminders forbid nothing', () => {
  for (const task of [
    'the API must not delete users',
    'make sure that the script does not send mails twice',
    'fix: the button does not publish the post',
    "don't forget to push",
    'Fix the endpoint that returns users without sending emails',
    'Do not deploy if the tests fail. Deploy the app.',
    'The app never commits the transaction. Fix it.',
    'No commits were found by the parser.',
    'Before you push, run the tests.',
    'After I merged main the tests fail.',
    'Before I run the migration I need a backup.',
    "Allow `npm test` without asking in this project's settings",
    'Add a confirmation: ask me before deleting.',
    'The user must confirm before we delete the account.',
    'Posts must not be deleted when the user leaves.',
    'Delete old/. Do not delete anything else.',
    'Print "do not push" and\n```\ndo not push\n```',
    'Only modify files in src/',
  ]) {
    const { never, waits } = limitedActs(task)
    const acts = new Set(LIMITED_ACTS.map(nameOfAct))
    assert.deepEqual([never.filter((name) => acts.has(name)), waits], [[], false], task)
  }
})

test('a later order lifts the limit of its act, and a word to go ahead all', () => {
  assert.deepEqual(limitedActs('ok, push it now', true).allows, [PUSH])
  for (const text of ['go ahead', 'ok', 'yes, please', 'Approved.', 'lgtm, ship it'])
    assert.deepEqual(limitedActs(text, true).allows.toSorted(), LIMITED_ACTS.map(nameOfAct).toSorted(), text)
  for (const text of [
    'why did the push fail?',
    'ok thanks, now fix the second bug',
    'go ahead with the refactoring',
  ])
    assert.deepEqual(
      limitedActs(text, true).allows.filter((name) => name === PUSH),
      [],
      text,
    )
  assert.ok(!limitsOfTask("ok, but don't push yet", true).does.includes(PUSH))
  assert.ok(limitsOfTask('ok, push it now', true).does.includes(ACTING))
})

test('a text is read in linear time', () => {
  for (const part of [
    'do not ',
    'without ',
    'until i ',
    'ask me ',
    'leave x alone, ',
    '"',
    'a b c ',
    'never reply ly ',
  ])
    assert.ok(limitedActs(part.repeat(20_000 / part.length)))
})
