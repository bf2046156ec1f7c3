import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Catalogue,
  type Control,
  type PartitionReport,
  canonicalJson,
  sign,
  versionOf,
} from '@plimsoll/contracts'
import type { LogRecord } from './ports/event-log.js'
import { type Entry, createContents, examine } from './registry.js'

const limits = { documentBytesMax: 100, controlsMax: 2, partitionsMax: 4 }

const documentOf = (name: string): Entry & { kind: 'document' } => {
  const document: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name, tools: [] }
  return { kind: 'document', registered: { kind: 'catalogue', version: versionOf(document), document } }
}
const controlOf = (id: string): Entry => ({ kind: 'control', control: { id } as Control })
const reportOf = (partition: number, offset: string): Entry => ({
  kind: 'report',
  report: { partition, offset } as PartitionReport,
})

test('counts a document once, and refuses a document that does not fit', () => {
  const contents = createContents(limits)
  const [a, b] = [documentOf('a'), documentOf('b')]
  assert.equal(contents.add(a, 60), undefined)
  assert.equal(contents.add(a, 60), undefined)
  assert.equal(contents.add(b, 60)?.reason, 'too_much')
  assert.deepEqual(contents.documents(), [a.registered])
  assert.equal(contents.document(b.registered.version), undefined)
  assert.equal(contents.add(b, 40), undefined)
})

test('of the audit the latest are kept, in their order', () => {
  const contents = createContents(limits)
  for (const id of ['a', 'b', 'b', 'c']) contents.add(controlOf(id), 1)
  assert.deepEqual(
    contents.controls().map(({ id }) => id),
    ['b', 'c'],
  )
})

test('of a partition the latest report stands', () => {
  const contents = createContents(limits)
  contents.add(reportOf(3, '1'), 1)
  contents.add(reportOf(3, '2'), 1)
  assert.equal(contents.report(3)?.offset, '2')
  assert.equal(contents.report(0), undefined)
  assert.equal(contents.add(reportOf(4, '1'), 1)?.reason, 'too_much')
})

const KEY = 'the key of this deployment'
const catalogue: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'sample', tools: [] }
const version = versionOf(catalogue)
const stop = sign<Control>(
  { schema: 1, type: 'fleet.stopped', id: 'c-1', partition: null, time: 7, by: 'ada' },
  KEY,
)
const stands = { active: {}, running: {}, stops: [], modes: [], time: 0 }
const report = sign<PartitionReport>(
  { schema: 1, partition: 3, offset: '17', control: 'c-1', controls: { base: stands, changes: [] } },
  KEY,
)

const recordOf = (key: string | null, value: unknown): LogRecord => ({
  topic: 'registry',
  partition: 0,
  offset: 0n,
  key,
  value: Buffer.from(typeof value === 'string' ? value : canonicalJson(value)),
  headers: {},
  timeMs: 0,
})

const examined = (key: string | null, value: unknown, signingKey?: string) => {
  const result = examine(recordOf(key, value), signingKey)
  return 'entry' in result ? result.entry : result.refusal
}

test('takes documents by their hash, changes and reports by their signature', () => {
  assert.deepEqual(examined(version, catalogue, KEY), {
    kind: 'document',
    registered: { kind: 'catalogue', version, document: catalogue },
  })
  assert.deepEqual(examined('control/c-1', stop, KEY), { kind: 'control', control: stop })
  assert.deepEqual(examined('partition/3', report, KEY), { kind: 'report', report })
})

test('without the key nobody can tell a signature', () => {
  const forged = { ...stop, by: 'eve' }
  assert.deepEqual(examined('control/c-1', forged), { kind: 'control', control: forged })
})

const REFUSED: readonly (readonly [
  name: string,
  key: string | null,
  value: unknown,
  reason: string,
  RegExp,
])[] = [
  ['no key', null, catalogue, 'key_unknown', /no version, control change/],
  ['a key of nothing', 'partition/x', report, 'key_unknown', /no version, control change/],
  ['bytes that are no JSON', version, '\u0000{', 'not_json', /not JSON/],
  ['a document of no kind', version, { ...catalogue, kind: 'plimsoll.novel' }, 'schema_invalid', /`kind`/],
  ['JSON that is no document', version, 'null', 'schema_invalid', /`kind`/],
  [
    'a field that no catalogue has',
    version,
    { ...catalogue, more: 1 },
    'schema_invalid',
    /invalid catalogue: .*"more"/,
  ],
  [
    'a document under the key of another',
    version,
    { ...catalogue, name: 'other' },
    'hash_mismatch',
    /has version/,
  ],
  ['a forged change', 'control/c-1', { ...stop, by: 'eve' }, 'signature_invalid', /signature/],
  ['a change without a field', 'control/c-1', { ...stop, by: undefined }, 'schema_invalid', /by: /],
  ['a change under the id of another', 'control/c-2', stop, 'key_mismatch', /`c-1`/],
  ['a forged report', 'partition/3', { ...report, offset: '18' }, 'signature_invalid', /signature/],
  ['the report of another partition', 'partition/4', report, 'key_mismatch', /partition 3/],
]

for (const [name, key, value, reason, message] of REFUSED)
  test(`refuses ${name}`, () => {
    const refusal = examined(key, value, KEY)
    assert.ok('reason' in refusal, JSON.stringify(refusal))
    assert.equal(refusal.reason, reason)
    assert.match(refusal.message, message)
    assert.doesNotMatch(refusal.message, /\n/)
  })

test('a partition takes no change from the registry: those there are for all', () => {
  const { signature: _, ...rest } = stop
  const forOne = sign<Control>({ ...rest, partition: 2 }, KEY)
  assert.deepEqual(examined('control/c-1', forOne, KEY), {
    reason: 'key_mismatch',
    message: 'it is the change `c-1` of partition 2',
  })
})

test('a document nested too deeply to be hashed is refused, and not a crash', () => {
  const five = [0, 0, 0, 0, 0]
  const bundle = {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'deep',
    space: 'paper5',
    target: 'observed',
    horizon: 1,
    horizonMax: 1,
    aggregate: {
      traces: 0,
      transitions: 0,
      violations: 0,
      hazard: five,
      forward: [five, five],
      stepsToViolation: [null, null, null, null, null],
      counts: [],
      thresholds: { hazard: [0, 0, 0], forward: [0, 0, 0] },
    },
    categories: {},
    origin: { here: 0 },
  }
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const texts = [JSON.stringify(bundle), JSON.stringify(bundle).replace('"here":0', `"here":${deep}`)]
  const refusals = texts.map((text) => examined(versionOf(bundle), text))
  assert.ok(refusals[0] && 'kind' in refusals[0], 'it is valid but for that')
  assert.deepEqual(refusals[1], {
    reason: 'hash_mismatch',
    message: 'its content has version `unknown`, another than its key',
  })
})

test('reports the first few of many problems', () => {
  const tools = Array.from({ length: 100 }, () => ({ tools: [], labels: {} }))
  const refusal = examined(version, { ...catalogue, tools })
  assert.ok('message' in refusal)
  assert.match(refusal.message, /; and \d+ more$/)
  assert.ok(refusal.message.length < 1000)
})
