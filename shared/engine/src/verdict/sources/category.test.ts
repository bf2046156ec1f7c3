import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf, createSampleSession } from '../../testing.js'

test('a category without a chain reads the aggregate and says so', () => {
  const session = createSampleSession({ category: 'gardening' })
  const outcome = session.propose('read_file')
  assert.equal(outcome.decision?.risk?.category, 'aggregate')
  assert.deepEqual(codesOf(outcome), ['forward:category_unknown'])
  assert.equal(outcome.decision?.verdict, 'allow')
  assert.deepEqual(codesOf(createSampleSession({ category: '' }).propose('read_file')), [])
})
