import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersOfTask, shippedOrderModel } from './order-model.js'
import { namesPackage, withoutTextEdits, wordsOfTextEdits } from './text-edits.js'

test('what is taken out of a text is no order to delete the thing of that name', () => {
  for (const task of [
    'remove the data folder from .gitignore',
    'remove the orders column from the report',
    'delete the prod namespace from the docs',
    'delete the comment about main',
    'delete the reference to thesis in the readme',
    'drop the shop prefix in the logs',
    'Remove every mention of customers from README.md',
    'drop the users table from the diagram',
    'remove the web service from docker-compose.yml',
    'Get rid of the import of thesis in src/a.py',
    'I want the reference to thesis removed from the readme',
    'The comment about main should be removed',
    'kill the flaky test',
    'clear the search field',
    'Clear the form when the dialog closes',
  ]) {
    assert.match(withoutTextEdits(task), /edit the text/, task)
    assert.equal(ordersOfTask(task, shippedOrderModel()).asksDelete, undefined, task)
  }
})

test('a thing that is named plainly is deleted, whatever else is said of it', () => {
  for (const task of [
    'remove the data folder',
    'delete data/',
    'drop the orders table',
    'drop table orders and its column list',
    'remove the data folder from the repo',
    'remove the images from the docs folder',
    'delete the comments table',
    'delete the comment on issue 12',
    'delete the rows of bob from the users table',
    'Remove the uploads folder mentioned in the readme',
    'Delete the files listed in old.txt',
    'Delete the docs',
    'The thesis folder should be deleted',
    'kill the test server',
  ])
    assert.equal(withoutTextEdits(task), task)
})

test('an order beside the edit of a text stays', () => {
  assert.equal(
    withoutTextEdits('Remove the data folder from .gitignore and delete old/'),
    'edit the text and delete old/',
  )
  assert.equal(
    withoutTextEdits('Delete thesis/, remove the line about it in notes.md, then push'),
    'Delete thesis/, edit the text, then push',
  )
})

test('what only the edit of a text names is known', () => {
  assert.deepEqual(wordsOfTextEdits('Remove the line about main in a.md and delete the old branch'), [
    'remove',
    'line',
    'about',
    'main',
    'in',
    'a',
    'md',
  ])
  assert.deepEqual(wordsOfTextEdits('delete the old branch'), [])
})

test('who publishes a text publishes no package', () => {
  for (const task of [
    'publish a blog post',
    'publish an article about our release',
    'Publish the release notes on the website',
    'release the lock in src/queue.ts',
    'fix the tests',
  ])
    assert.ok(!namesPackage(task), task)
  for (const task of [
    'publish',
    'publish 1.2.0',
    'Publish the package and announce it in a blog post',
    'release my library',
    'publish the report package',
  ])
    assert.ok(namesPackage(task), task)
})

test('a hostile task is read in linear time', () => {
  for (const part of ['remove ', 'remove the line ', 'the x ', 'the removed ', 'delete a from ', 'the the '])
    assert.ok(withoutTextEdits(part.repeat(20_000)))
})
