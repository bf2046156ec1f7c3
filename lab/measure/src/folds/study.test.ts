import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corpusOf, recordingOf } from '@plimsoll/fit'
import { sampleTrace } from '@plimsoll/fit/testing'
import { modelledCorpus } from './study.js'

const VIOLATED = 4
const LEVELS = [[0, 1, VIOLATED, VIOLATED], [0, 3], [VIOLATED, VIOLATED], []] as const

test('the modelled target is the first step that runs and arrives past the line', () => {
  const traces = LEVELS.map((levels) =>
    sampleTrace(
      levels.map(() => 'look'),
      { label: { unsafe: null } },
    ),
  )
  // The first step of the third session was stopped.
  const executed = (n: number, i: number) => n !== 2 || i > 0
  const recorded = traces.map((trace, n) =>
    recordingOf({
      ...trace,
      steps: trace.steps.map((step) => ({ ...step, executed: executed(n, step.i) })),
    }),
  )
  const corpus = corpusOf(recorded)
  const modelled = modelledCorpus(corpus, (n, i) => LEVELS[n]?.[i] ?? 0)
  assert.deepEqual(
    modelled.recordings.map(({ truth }) => [truth.unsafe, truth.violatedAt]),
    [
      [true, 2],
      [false, undefined],
      [true, 1],
      [false, undefined],
    ],
  )
  assert.deepEqual([corpus.judged, modelled.judged], [[], [0, 1, 2]])
  for (const [n, { blind, about }] of modelled.recordings.entries())
    assert.ok(blind === recorded[n]?.blind && about === recorded[n]?.about)
})
