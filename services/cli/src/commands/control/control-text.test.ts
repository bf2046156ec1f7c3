import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Catalogue,
  type Control,
  type PartitionReport,
  type RegisteredDocument,
  PlimsollError,
  sign,
  versionOf,
} from '@plimsoll/contracts'
import { NO_CONTROLS, applyControl } from '@plimsoll/engine'
import { type PartitionOutcome, controlStatuses } from '@plimsoll/operations'
import { historyText, partitionsText, rangesOf, sentText, statusText } from './control-text.js'
import { operatorOf } from './control.js'

const document: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'tools', tools: [] }
const version = versionOf(document)
const registered: RegisteredDocument = { kind: 'catalogue', version, document }

const common = { schema: 1, partition: null, signature: '', by: 'ada' } as const
const activated: Control = {
  ...common,
  type: 'versions.activated',
  id: 'a',
  time: 1,
  versions: { catalogue: version },
  running: true,
}
const observed: Control = {
  ...common,
  type: 'mode.changed',
  id: 'm',
  time: 2,
  tenant: 'acme',
  mode: 'observe',
}
const stopped: Control = { ...common, type: 'fleet.stopped', id: 's', time: 3, reason: 'a drill' }

/** The report of a monitor on `partition` after these changes; it refused `refusal`. */
function reportOf(partition: number, controls: readonly Control[], refusal?: Control): PartitionReport {
  const log = controls.reduce((before, control, i) => {
    // Another offset in each partition, as in a real one.
    const result = applyControl(before, control, BigInt(100 * partition + i))
    assert.ok('log' in result)
    return result.log
  }, NO_CONTROLS)
  const refused = { code: 'version_unavailable', message: 'no such policy' }
  return {
    schema: 1,
    partition,
    offset: '0',
    controls: log,
    signature: '',
    control: (refusal ?? controls.at(-1))?.id ?? '',
    ...(refusal && { refused }),
  }
}

function sourceOf(reports: readonly PartitionReport[], sent: readonly Control[]) {
  return {
    report: (partition: number) => reports.find((each) => each.partition === partition),
    controls: () => sent,
    document: (wanted: string) => (wanted === version ? registered : undefined),
    documents: () => [registered],
  }
}

const all = [activated, observed, stopped]

test('one status if all partitions agree', () => {
  const source = sourceOf([reportOf(0, all), reportOf(1, all), reportOf(2, all)], all)
  const statuses = controlStatuses(source, 3)
  assert.deepEqual(statuses.stragglers, [])
  assert.deepEqual(statuses.statuses, [
    {
      partitions: [0, 1, 2],
      active: { catalogue: version },
      running: { catalogue: version },
      stops: [{ tenant: null, by: 'ada', time: 3, reason: 'a drill' }],
      modes: [{ tenant: 'acme', agent: null, mode: 'observe', by: 'ada', time: 2 }],
    },
  ])
  const text = statusText(statuses, source)
  for (const line of [
    /^STOPPED {4}the fleet, by ada at 1970-01-01T00:00:00\.003Z: a drill$/m,
    /^bundle {5}as each monitor's files say$/m,
    new RegExp(`^catalogue {2}${version}  tools, by ada at .*, running sessions too$`, 'm'),
    /^mode {7}observe for tenant acme, by ada at/m,
  ])
    assert.match(text, line)
  assert.doesNotMatch(text, /DIFFERENT|NOT IN FORCE/)
})

test('names a partition that refused, and a partition without a report', () => {
  const before = [activated, observed]
  const source = sourceOf([reportOf(0, all), reportOf(1, all), reportOf(2, before, stopped)], all)
  const statuses = controlStatuses(source, 4)
  assert.deepEqual(
    statuses.statuses.map(({ partitions }) => partitions),
    [[0, 1], [2], [3]],
  )
  assert.deepEqual(statuses.stragglers, [
    { partition: 2, control: 's', refused: { code: 'version_unavailable', message: 'no such policy' } },
    { partition: 3 },
  ])
  const text = statusText(statuses, source)
  assert.match(text, /^DIFFERENT in partition 2; send the latest change again:$/m)
  assert.match(text, /^The latest change is NOT IN FORCE everywhere: stop the fleet \(s\)$/m)
  assert.match(text, /^ {2}partition 2: refused: version_unavailable: no such policy$/m)
  assert.match(text, /^ {2}partition 3: no answer; is a monitor running\?$/m)
})

test('before any change the configuration counts', () => {
  const source = { ...sourceOf([], []), documents: () => [] }
  const text = statusText(controlStatuses(source, 12), source)
  assert.match(text, /^policy {5}as each monitor's files say$/m)
  assert.match(text, /^mode {7}enforce for the fleet\nstops {6}none\n\nNo documents are published\.$/m)
  assert.equal(historyText([]), 'No change was ever sent.\n')
})

test('shows the candidate in shadow, with its name if it is published', () => {
  const shadowed: Control = {
    ...common,
    type: 'shadow.changed',
    id: 'x',
    time: 4,
    candidate: { bundle: 'b'.repeat(32) },
    reason: 'refitted',
  }
  const changes = [activated, shadowed]
  const source = sourceOf([reportOf(0, changes), reportOf(1, changes)], changes)
  const statuses = controlStatuses(source, 2)
  assert.equal(statuses.statuses[0]?.shadow?.bundle, 'b'.repeat(32))
  assert.match(
    statusText(statuses, source),
    /^shadow {5}bundle b{32} {2}NOT IN THE REGISTRY: publish it, by ada at .*\.004Z: refitted$/m,
  )
  const none: Control = { ...common, type: 'shadow.changed', id: 'y', time: 5 }
  const after = sourceOf([reportOf(0, [...changes, none])], [...changes, none])
  assert.doesNotMatch(statusText(controlStatuses(after, 1), after), /^shadow/m)
  assert.match(
    historyText([shadowed, none]),
    /run bundle b{32} in shadow: refitted\n.*run nothing in shadow\n$/,
  )
})

test('the audit has a line for each change', () => {
  assert.deepEqual(historyText(all).trimEnd().split('\n'), [
    `1970-01-01T00:00:00.001Z  ada           activate catalogue ${version} for new and running sessions`,
    '1970-01-01T00:00:00.002Z  ada           mode observe for tenant acme',
    '1970-01-01T00:00:00.003Z  ada           stop the fleet: a drill',
  ])
})

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

test('shows numbers as ranges', () => {
  const rows: [number[], string][] = [
    [[], ''],
    [[4], '4'],
    [[0, 1, 2, 3], '0–3'],
    [[0, 2, 3, 7], '0, 2–3, 7'],
  ]
  for (const [numbers, expected] of rows) assert.equal(rangesOf(numbers), expected)
  assert.deepEqual([partitionsText([3]), partitionsText([3, 4])], ['partition 3', 'partitions 3–4'])
})

test('applied everywhere: what, by whom, no failure', () => {
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

test('silent: the change still counts, and where to look', () => {
  const failureOf = (monitors?: number) =>
    sentText(
      { control, outcomes: [...applied(0), ...silent(1)], ...(monitors !== undefined && { monitors }) },
      context,
    ).failures.join()
  assert.match(failureOf(0), /^partition 1 did not answer within 30 s: the change is in the log and counts/)
  assert.match(failureOf(0), /no monitor is in group `monitors`: start one$/)
  assert.match(failureOf(2), /see whether the monitors of group `monitors` are ready/)
  assert.match(failureOf(), /see whether the monitors of group `monitors` are ready/)
})

test('silent after reports that another key signed: names the key, not the monitors', () => {
  const outcomes = silent(0, 1, 2)
  const { failures } = sentText({ control, outcomes, monitors: 2, foreign: [0, 1] }, context)
  assert.match(failures[0] ?? '', /^partitions 0–1 did not answer, .*PLIMSOLL_SIGNING_KEY is not that of the/)
  assert.match(failures[1] ?? '', /^partition 2 did not answer within 30 s/)
})

test('the operator is `--by`, else the user who is logged in, else an error', () => {
  assert.equal(operatorOf('grace', 'ada'), 'grace')
  assert.equal(operatorOf(undefined, 'ada'), 'ada')
  assert.throws(
    () => operatorOf(undefined, undefined),
    (error) =>
      error instanceof PlimsollError && error.code === 'usage_invalid' && /`--by`/.test(error.message),
  )
})
