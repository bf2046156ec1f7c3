import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindsNamed, withoutBehaviour, wordsOfProduct, wordsOfWay } from './product-words.js'
import { ordersOfTask, shippedOrderModel } from './order-model.js'

test('words of parts of code and pages are those before a head, up to a verb or a small word', () => {
  for (const [task, words] of [
    ['Remove the volume slider', ['volume', 'slider']],
    ['Refactor the database layer and delete dead code', ['database', 'layer']],
    ['Clean up the schema definitions in schema.prisma', ['schema', 'definitions']],
    ['Remove the volume shop_pgdata', []],
    ['Reset the database and reseed it', []],
    ['Drop the users table; remove the users endpoint', ['endpoint']],
  ] as const)
    assert.deepEqual(wordsOfProduct(task), words, task)
})

test('what a product should do orders nothing', () => {
  for (const task of [
    'Users should be able to delete their uploads',
    'Empty the cart after checkout',
    'On logout, delete the session cookie and redirect',
    'Add a button to cancel an order',
    'Clear the notifications badge after reading',
  ]) {
    assert.notEqual(withoutBehaviour(task), task, task)
    const asked = Object.keys(ordersOfTask(task, shippedOrderModel())).filter((name) =>
      name.startsWith('asks'),
    )
    assert.deepEqual(asked, [], task)
  }
  for (const task of [
    'Delete the uploads of user 17',
    'Delete the old build after the deploy',
    'Write a script that removes old wheels',
    'The VMs are done, they can be deleted',
  ])
    assert.equal(withoutBehaviour(task), task, task)
})

test('kinds are named by phrases, and not by verbs of the same words', () => {
  for (const [task, kinds] of [
    ['Merge PR 42', ['pull']],
    ['Merge the two date helpers', []],
    ['Create the release v1.0.0', ['release']],
    ['Release the mouse pointer lock', []],
    ['Clear the redis cache', ['cache']],
    ['Wipe the cache layer', []],
    ['Undo all my changes', ['changes']],
    ['Undo my change in header.tsx', []],
    ['Reset the scroll position when the route changes', []],
    ['Delete all branches but main', ['severalbranches', 'branches']],
    ['clean up docker, disk is full', ['docker']],
  ] as const)
    assert.deepEqual(
      kindsNamed(task),
      kinds.map((kind) => `kindzqz${kind}`),
      task,
    )
})

test('a folder on the way to what a task names is not named, unless the task calls it a folder', () => {
  for (const [task, words] of [
    ['Remove old files in logs/2022', ['logs']],
    ['Delete backups older than 30 days in /var/backups/db', ['var', 'backups']],
    ['Delete the folder logs and the files in logs/2022', []],
    ['Delete the old reports but not reports/2024', []],
    ['Delete everything in logs/', []],
  ] as const)
    assert.deepEqual(wordsOfWay(task), words, task)
})
