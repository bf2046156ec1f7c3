import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf, createSampleSession, sampleRules } from '../../testing.js'

test('a category without a chain reads the aggregate and says so once, with the categories that there are', () => {
  const session = createSampleSession({ category: 'gardening' })
  const outcome = session.propose('read_file')
  assert.equal(outcome.decision?.risk?.category, 'aggregate')
  assert.deepEqual(codesOf(outcome), ['forward:category_unknown'])
  assert.equal(outcome.decision?.verdict, 'allow')
  assert.match(
    outcome.decision.reasons[0]?.message ?? '',
    /^the bundle has no category `gardening`, .*: start sessions with `data`, or without a category/,
  )
  const later = session.propose('read_file')
  assert.equal(later.decision?.risk?.category, 'aggregate')
  assert.deepEqual(codesOf(later), [])
  assert.deepEqual(codesOf(createSampleSession({ category: '' }).propose('read_file')), [])
})

for (const [what, tool] of [
  ['waits for approval', 'mystery'],
  ['was blocked', 'wipe'],
] as const)
  test(`it is not said again after a step that ${what}`, () => {
    const session = createSampleSession({
      category: 'gardening',
      rules: sampleRules({ tools: { wipe: { blocklist: [{ id: 'no-wipe' }] } } }),
    })
    assert.ok(codesOf(session.propose(tool)).includes('forward:category_unknown'))
    assert.equal(codesOf(session.propose(tool)).includes('forward:category_unknown'), false)
  })
