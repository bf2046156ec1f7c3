import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Catalogue,
  type Control,
  type PartitionReport,
  type RegisteredDocument,
  versionOf,
} from '@plimsoll/contracts'
import { NO_CONTROLS, applyControl } from '@plimsoll/engine'
import { controlStatuses, historyText, statusText } from './controls.js'

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

/** What a monitor says of `partition` when these have come, of which it refuses the last where `refusal` is given. */
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

test('where all partitions agree there is one standing, and nobody lags', () => {
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

test('a partition that has refused, and one that has told nothing, are named', () => {
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

test('before any change all is as configured', () => {
  const source = { ...sourceOf([], []), documents: () => [] }
  const text = statusText(controlStatuses(source, 12), source)
  assert.match(text, /^policy {5}as each monitor's files say$/m)
  assert.match(text, /^mode {7}enforce for the fleet\nstops {6}none\n\nNo documents are published\.$/m)
  assert.equal(historyText([]), 'No change was ever sent.\n')
})

test('the candidate in shadow is shown, with its name where it is published', () => {
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

test('the audit, a line a change', () => {
  assert.deepEqual(historyText(all).trimEnd().split('\n'), [
    `1970-01-01T00:00:00.001Z  ada           activate catalogue ${version} for new and running sessions`,
    '1970-01-01T00:00:00.002Z  ada           mode observe for tenant acme',
    '1970-01-01T00:00:00.003Z  ada           stop the fleet: a drill',
  ])
})
