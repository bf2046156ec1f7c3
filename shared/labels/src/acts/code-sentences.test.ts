import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOfProduct } from './product-words.js'

test('a sentence with a topic of code, or that says what it means, names nothing but files', () => {
  for (const [task, word] of [
    ['chart view: remove the small clusters', 'clusters'],
    ['remove the legacy Volume, that is the old slider component', 'volume'],
    ["drop the Bucket, it's our board widget", 'bucket'],
  ] as const)
    assert.ok(wordsOfProduct(task).includes(word), task)
})

test('other sentences of the task, and other topics, are as they were', () => {
  for (const [task, word] of [
    ['on db1: remove the small clusters', 'clusters'],
    ['remove the legacy volume, that is the one of 2019', 'volume'],
    ['chart view: use the new colours. Delete the volume shop_old', 'volume'],
    ['restart the ledger writer pods', 'ledger'],
    ['i ordered the wrong dishwasher filter, cancel that', 'dishwasher'],
  ] as const)
    assert.ok(!wordsOfProduct(task).includes(word), task)
})
