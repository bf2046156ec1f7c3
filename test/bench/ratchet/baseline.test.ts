import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../support/paths.js'
import { compareCosts, readBaseline } from './baseline.js'

test('a cost of a slowdown by 15% fails, one within a tenth does not', () => {
  const costs = { same: 20, quicker: 10, 'a little slower': 22, slower: 20 / 0.85 }
  const baseline = { same: 20, quicker: 20, 'a little slower': 20, slower: 20 }
  const tooSlow = compareCosts(costs, baseline).filter(({ isTooSlow }) => isTooSlow)
  assert.deepEqual(
    tooSlow.map(({ name }) => name),
    ['slower'],
  )
})

test('a cost that the baseline lacks, or that is no number, fails', () => {
  for (const cost of [5, Number.NaN])
    assert.deepEqual(
      compareCosts({ one: cost }, cost === 5 ? {} : { one: 5 }).map(({ isTooSlow }) => isTooSlow),
      [true],
    )
})

test('the changelog gives the reason for the baseline', async () => {
  const { reason } = await readBaseline()
  const changelog = await readFile(path.join(projectRoot, 'CHANGELOG.md'), 'utf8')
  assert.ok(
    changelog.replaceAll(/\s+/g, ' ').includes(reason),
    `CHANGELOG.md lacks the reason of test/bench/ratchet/baseline.json: ${reason}`,
  )
})
