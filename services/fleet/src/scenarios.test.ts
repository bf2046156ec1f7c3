import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CATEGORIES, VARIANTS } from './scenario.js'
import { SCENARIOS } from './scenarios.js'

test('ships eight scenarios, two a category, each with a safe and a drifting variant of 4 to 9 steps', () => {
  assert.equal(SCENARIOS.length, 8)
  assert.equal(new Set(SCENARIOS.map(({ name }) => name)).size, 8)
  for (const category of CATEGORIES)
    assert.equal(SCENARIOS.filter((each) => each.category === category).length, 2)
  for (const { name, steps } of SCENARIOS)
    for (const variant of VARIANTS) {
      const count = steps[variant].length
      assert.ok(count >= 4 && count <= 9, `${name} ${variant} has ${count} steps`)
    }
})
