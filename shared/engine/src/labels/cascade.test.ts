import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cascade } from './cascade.js'
import { LEVELS } from './words.js'

/** The twelve rules as written in the paper; shares no code or table with the engine. */
function naiveLevel(d: string, t: string, r: string): string {
  const leaks = t === 'network'
  const runs = t === 'code_exec' || leaks
  const writes = t === 'file_write' || runs
  if (d === 'credentials' && leaks && r === 'irreversible') return 'violated'
  if (d === 'credentials' && runs) return 'critical'
  if (d === 'sensitive' && leaks) return r === 'irreversible' ? 'violated' : 'critical'
  if (d === 'credentials') return 'elevated'
  if (d === 'sensitive' && runs) return 'elevated'
  if (d === 'sensitive' && writes && r === 'irreversible') return 'elevated'
  if (d === 'sensitive') return 'mild'
  if (d === 'internal' && writes) return 'mild'
  return 'safe'
}

const EXPOSURES = ['none', 'public', 'internal', 'sensitive', 'credentials']
const ESCALATIONS = ['read_only', 'file_write', 'code_exec', 'network']
const REVERSIBILITIES = ['reversible', 'partial', 'irreversible']

const triples = EXPOSURES.flatMap((d, i) =>
  ESCALATIONS.flatMap((t, j) => REVERSIBILITIES.map((r, k) => ({ d, t, r, i, j, k }))),
)

test('the cascade agrees with a naive reading of the twelve rules on all 60 states', () => {
  assert.equal(triples.length, 60)
  for (const { d, t, r, i, j, k } of triples)
    assert.equal(LEVELS[cascade(i, j, k)], naiveLevel(d, t, r), `${d}, ${t}, ${r}`)
})

test('how many states each level has', () => {
  const counts = [0, 0, 0, 0, 0]
  for (const { i, j, k } of triples) counts[cascade(i, j, k)] = (counts[cascade(i, j, k)] ?? 0) + 1
  assert.deepEqual(counts, [27, 14, 10, 7, 2])
})

test('more exposure, escalation or irreversibility never lowers the level', () => {
  for (const { i, j, k } of triples)
    for (const [di, dj, dk] of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const)
      if (i + di < 5 && j + dj < 4 && k + dk < 3)
        assert.ok(cascade(i + di, j + dj, k + dk) >= cascade(i, j, k), `${i} ${j} ${k}`)
})
