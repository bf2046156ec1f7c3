import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  TRANSITION_KINDS,
  meaningOf,
  monthOf,
  monthsBack,
  parseTransitionField,
  transitionCountsName,
  transitionField,
} from './transitions.js'

test('a field reads back as it was written, whatever the category is called', () => {
  for (const kind of TRANSITION_KINDS)
    for (const category of ['aggregate', 'two words', 'ž\n%', 'a:b'])
      assert.deepEqual(parseTransitionField(transitionField({ kind, from: 3, to: 119, category })), {
        kind,
        from: 3,
        to: 119,
        category,
      })
  for (const field of ['', 'survived 1 2', 'dreamt 1 2 x', 'survived -1 2 x', 'survived 1 2 x y'])
    assert.equal(parseTransitionField(field), undefined, field)
  assert.doesNotMatch(transitionField({ kind: 'ended', from: 1, to: 1, category: 'a\nb c' }), /\n/)
})

test('a category that no text can hold is counted all the same', () => {
  const field = transitionField({ kind: 'began', from: 1, to: 1, category: 'half \ud83d of one' })
  assert.equal(parseTransitionField(field)?.category, 'half \u{fffd} of one')
  const whole = transitionField({ kind: 'began', from: 1, to: 1, category: '🚢' })
  assert.equal(parseTransitionField(whole)?.category, '🚢')
})

test('counts are by month, of UTC', () => {
  const january = Date.UTC(2026, 0, 31, 23, 59)
  assert.equal(transitionCountsName('paper60', monthOf(january)), 'paper60:2026-01')
  assert.deepEqual(monthsBack(january, 4), ['2026-01', '2025-12', '2025-11', '2025-10'])
})

test('states of the space flow mean what session scorer and edges make of them; the hazard is no matter', () => {
  const scorer = (bias: number) => ({ features: [], bias, trees: [], calibration: { x: [0], y: [0.5] } })
  const flow = { hazard: scorer(0), session: scorer(1), edges: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] }
  const meaning = meaningOf({ space: 'flow', flow })
  assert.equal(meaningOf({ space: 'flow', flow: { ...flow, hazard: scorer(9) } }), meaning)
  assert.notEqual(meaningOf({ space: 'flow', flow: { ...flow, session: scorer(9) } }), meaning)
  assert.equal(meaningOf({ space: 'paper60' }), 'paper60')
})
