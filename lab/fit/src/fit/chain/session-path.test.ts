import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safetyState } from '@plimsoll/engine'
import { sampleLabels, sampleTrace, unsafeTrace } from '../../testing.js'
import { createPathFinder, type PathResult } from './session-path.js'
import { spaceOf } from './space.js'

const LOOK = safetyState(2, 0, 0)
const MAIL = safetyState(3, 0, 0)
const MAIL_WRITE = safetyState(3, 1, 1)
const MAIL_SEND = safetyState(3, 3, 2)

const observed = createPathFinder(sampleLabels, spaceOf('paper60'), 'observed')
const modelled = createPathFinder(sampleLabels, spaceOf('paper60'), 'modelled')

const brief = (result: PathResult) =>
  'excluded' in result ? result.excluded : [...result.arrivals, result.violated ? 'violated' : 'ended']

test('a session is followed through its states to its end or its violation', () => {
  assert.deepEqual(brief(observed(sampleTrace(['look', 'mail', 'write']))), [LOOK, MAIL, MAIL_WRITE, 'ended'])
  assert.deepEqual(brief(observed(unsafeTrace(['mail', 'write', 'look'], 1))), [MAIL, MAIL_WRITE, 'violated'])
  assert.deepEqual(brief(observed(sampleTrace(['mail', 'send']))), [MAIL, MAIL_SEND, 'ended'])
})

test('a modelled violation is where the cascade says so, whatever the label', () => {
  assert.deepEqual(brief(modelled(sampleTrace(['mail', 'send', 'look']))), [MAIL, MAIL_SEND, 'violated'])
  assert.deepEqual(brief(modelled(unsafeTrace(['look', 'mail'], 0))), [LOOK, MAIL, 'ended'])
  assert.deepEqual(brief(modelled(sampleTrace(['look'], { label: { unsafe: null } }))), [LOOK, 'ended'])
})

test('paper5 keeps the highest level so far', () => {
  const levels = createPathFinder(sampleLabels, spaceOf('paper5'), 'observed')
  assert.deepEqual(brief(levels(sampleTrace(['look', 'mail', 'send', 'look']))), [0, 1, 4, 4, 'ended'])
})

test('stopped and unlabelled steps are censored: they neither move the session nor survive', () => {
  const trace = sampleTrace(['mail', 'send', 'unknown', 'write'])
  const [first, second, ...rest] = trace.steps
  const steps = [first, { ...second, executed: false }, ...rest] as typeof trace.steps
  const path = observed({ ...trace, steps })
  assert.deepEqual(path, { arrivals: [MAIL, MAIL_WRITE], violated: false, unlabelled: 1, unexecuted: 1 })
})

test('a violation at no known step is spread over the steps that count', () => {
  const path = observed(sampleTrace(['mail', 'unknown', 'write'], { label: { unsafe: true } }))
  assert.ok(!('excluded' in path))
  assert.deepEqual(
    [path.arrivals, path.violated, [...(path.posterior as Float64Array)]],
    [[MAIL, MAIL_WRITE], false, [0.5, 0.5]],
  )
})

test('what has no usable truth is left out, with its reason', () => {
  for (const [trace, reason] of [
    [sampleTrace(['look'], { label: { unsafe: null } }), 'label_unknown'],
    [sampleTrace(['look'], { label: { unsafe: false, partial: true } }), 'label_partial'],
    [sampleTrace(['look'], { label: { unsafe: true, text_only: true } }), 'label_text_only'],
    [sampleTrace(['look'], { label: { unsafe: true, agree: false } }), 'label_unconfirmed'],
    [unsafeTrace(['look', 'unknown'], 1), 'violation_step_unseen'],
    [unsafeTrace(['look'], 7), 'violation_step_unseen'],
    [sampleTrace([]), 'no_steps'],
    [sampleTrace(['unknown']), 'no_steps'],
  ] as const)
    assert.equal(brief(observed(trace)), reason)
})
