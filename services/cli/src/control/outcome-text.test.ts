import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign, type Control } from '@plimsoll/contracts'
import { sentText } from './outcome-text.js'
import type { PartitionOutcome } from './outcome.js'
import { partitionsText, rangesOf } from './ranges.js'

const control = sign<Control>(
  {
    schema: 1,
    type: 'fleet.stopped',
    id: 'control-1',
    partition: null,
    time: 0,
    by: 'ada',
    reason: 'a\u202edrill',
    tenant: 'acme',
  },
  'key',
)
const context = { waitSeconds: 30, group: 'monitors' }
const applied = (...partitions: number[]): PartitionOutcome[] =>
  partitions.map((partition) => ({ partition, outcome: 'applied' }))
const silent = (...partitions: number[]): PartitionOutcome[] =>
  partitions.map((partition) => ({ partition, outcome: 'silent' }))

test('numbers as ranges', () => {
  const rows: [number[], string][] = [
    [[], ''],
    [[4], '4'],
    [[0, 1, 2, 3], '0–3'],
    [[0, 2, 3, 7], '0, 2–3, 7'],
  ]
  for (const [numbers, expected] of rows) assert.equal(rangesOf(numbers), expected)
  assert.deepEqual([partitionsText([3]), partitionsText([3, 4])], ['partition 3', 'partitions 3–4'])
})

test('applied everywhere: what, by whom, and no failure', () => {
  assert.deepEqual(sentText({ control, outcomes: applied(0, 1, 2) }, context), {
    text: [
      'stop tenant acme, by ada at 1970-01-01T00:00:00.000Z: a\\u{202e}drill',
      'change control-1, in 3 partitions:',
      '  applied   0–2',
      '',
    ].join('\n'),
    failures: [],
  })
})

test('refused: which partitions, why, and what to do', () => {
  const refused = { outcome: 'refused', code: 'version_unavailable', message: 'no policy `abc`' } as const
  const outcomes = [...applied(0), { partition: 1, ...refused }, { partition: 2, ...refused }]
  const { text, failures } = sentText({ control, outcomes }, context)
  assert.match(text, /^ {2}applied {3}0\n {2}refused {3}1–2$/m)
  assert.deepEqual(failures, [
    'partitions 1–2 refused it: version_unavailable: no policy `abc`; publish the bundle, policy or catalogue that is missing (`plimsoll publish FILE`), or give it to the monitor as a file',
  ])
})

test('silent: that it still counts, and where to look', () => {
  const failureOf = (monitors?: number) =>
    sentText(
      { control, outcomes: [...applied(0), ...silent(1)], ...(monitors !== undefined && { monitors }) },
      context,
    ).failures.join()
  assert.match(failureOf(0), /^partition 1 told nothing within 30 s: the change lies in the log and counts/)
  assert.match(failureOf(0), /no monitor is in group `monitors`: start one$/)
  assert.match(failureOf(2), /see whether the monitors of group `monitors` are ready/)
  assert.match(failureOf(), /see whether the monitors of group `monitors` are ready/)
})

test('silent, and it was another key that signed what was told before: the key is named, not the monitors', () => {
  const outcomes = silent(0, 1, 2)
  const { failures } = sentText({ control, outcomes, monitors: 2, foreign: [0, 1] }, context)
  assert.match(failures[0] ?? '', /^partitions 0–1 told nothing, .*PLIMSOLL_SIGNING_KEY is not that of the/)
  assert.match(failures[1] ?? '', /^partition 2 told nothing within 30 s/)
})
