import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question, Queue } from '../../../src/api.js'
import { withoutAnswered } from './use-queue.js'

const question = (decisionId: string, expiresAt: number) => ({ decisionId, expiresAt }) as Question
const queue: Queue = {
  groups: [
    { id: 'a', questions: [question('d1', 1), question('d2', 2)], probability: 0.5, expiresAt: 1 },
    { id: 'b', questions: [question('d3', 3)], probability: 0.1, expiresAt: 3 },
  ],
  count: 7,
  now: 0,
  mayAnswer: ['*'],
}

test('an answered question leaves its group, and the last one takes the group along', () => {
  const left = withoutAnswered(
    queue,
    new Map([
      ['d1', 1],
      ['d3', 1],
    ]),
  )
  assert.equal(left.count, 5)
  assert.deepEqual(left.groups, [{ id: 'a', questions: [question('d2', 2)], probability: 0.5, expiresAt: 2 }])
})

test('a queue that has none of the answered questions stays as it is', () => {
  assert.equal(withoutAnswered(queue, new Map([['other', 1]])), queue)
})
