import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Verdict } from '@plimsoll/contracts'
import { sampleChain } from '../../testing.js'
import { judged } from '../testing.js'

test('the hazard speaks on every step, by its thresholds', () => {
  const rows: [number, Verdict, string[]][] = [
    [0.19, 'allow', []],
    [0.2, 'warn', ['hazard:step_hazard']],
    [0.4, 'confirm', ['hazard:step_hazard']],
    [0.6, 'block', ['hazard:step_hazard']],
    [1, 'block', ['hazard:step_hazard']],
  ]
  for (const [value, verdict, codes] of rows)
    assert.deepEqual(judged('read_file', { chain: sampleChain({ hazard: () => value }) }), [verdict, codes])
})
