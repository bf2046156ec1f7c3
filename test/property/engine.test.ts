import assert from 'node:assert/strict'
import { test } from 'node:test'
import { step } from '@plimsoll/engine'
import { runSequence } from './run-sequence.js'

/** Sequences of up to 60 events; `PLIMSOLL_PROPERTY_SEED=n` plays only the failed sequence. */
const SEQUENCES = Number(process.env.PLIMSOLL_PROPERTY_SEQUENCES ?? 20_000)
const only = process.env.PLIMSOLL_PROPERTY_SEED
const seeds = only === undefined ? Array.from({ length: SEQUENCES }, (_, i) => i) : [Number(only)]

test('random sessions keep every invariant and agree with the naive model', (t) => {
  let events = 0
  for (const seed of seeds) {
    const report = runSequence(seed, step)
    events += report.events
    const problem = `PLIMSOLL_PROPERTY_SEED=${seed}, event ${report.events}: ${report.broken.join('; ')}`
    assert.deepEqual(report.broken, [], problem)
  }
  t.diagnostic(`${seeds.length} sequences, ${events} events`)
})
