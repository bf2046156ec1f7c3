import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Signals } from '@plimsoll/contracts'
import { type HistoryEvent, NO_HISTORY, historyValue, updateHistory } from './history.js'

const started = (signals: Signals): HistoryEvent => ({ kind: 'started', signals })
const completed = (instructed: boolean, signals: Signals = {}): HistoryEvent => ({
  kind: 'completed',
  untrusted: true,
  instructed,
  matches: undefined,
  signals,
  steps: 1,
})
const admitted = (escalation: number, reversibility: number): HistoryEvent => ({
  kind: 'admitted',
  labels: { exposure: 0, escalation, reversibility, untrusted: false },
  matches: undefined,
  signals: undefined,
})
const after = (name: string, ...events: HistoryEvent[]): number =>
  historyValue(
    events.reduce((history, event) => updateHistory(history, event, true), NO_HISTORY),
    name,
  )

for (const [what, events, expected] of [
  ['nothing read', [started({}), completed(false)], 0],
  ['an instruction for a tool by its name', [completed(true, { reach: 1 })], 0],
  ['an instruction that calls for no tool', [completed(true, { reach: 0 })], 1],
  ['the agent’s tools are unknown: as if by name', [completed(true)], 0],
  [
    'of two, that which calls for more',
    [completed(true, { reach: 0.2 }), completed(true, { reach: 0.6 })],
    0.4,
  ],
  ['in any order', [completed(true, { reach: 0.6 }), completed(true, { reach: 0.2 })], 0.4],
  [
    'a later result without instructions',
    [completed(true, { reach: 0.6 }), completed(false, { reach: 1 })],
    0.4,
  ],
  ['a later one of unknown reach', [completed(true, { reach: 0.2 }), completed(true)], 0],
] as const)
  test(`how far no instruction calls for a tool: ${what}`, () => {
    assert.equal(after('instructed.unreached', ...events), expected)
  })

test('how far the task calls for no tool; a later message changes nothing', () => {
  assert.equal(after('task.unreached', started({})), 0)
  assert.equal(after('task.unreached', started({ taskReach: 0.25 }), started({})), 0.75)
})

test('counts admitted steps that changed something', () => {
  const [read, fetched, written, sent] = [admitted(0, 0), admitted(3, 0), admitted(1, 1), admitted(3, 2)]
  assert.equal(after('steps.changing', read, fetched), 0)
  assert.equal(after('steps.changing', read, written, fetched, sent), 2)
})
