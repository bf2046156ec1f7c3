import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ControlState, PartitionReport, RegisteredDocument } from '@plimsoll/contracts'
import { registryFindings } from './registry.js'

const A = 'a'.repeat(32)
const B = 'b'.repeat(32)
const NOTHING: ControlState = { active: {}, running: {}, stops: [], modes: [], time: 1 }

const reportOf = (partition: number, over: Partial<ControlState> = {}, control = 'c-1'): PartitionReport => ({
  schema: 1,
  partition,
  offset: '5',
  control,
  controls: { base: { ...NOTHING, ...over }, changes: [] },
  signature: '0'.repeat(64),
})

function findingsOf(
  reports: readonly PartitionReport[],
  refused: Parameters<typeof registryFindings>[1] = [],
  atHand: readonly string[] = [A],
) {
  const registered = { kind: 'policy', version: B, document: {} } as unknown as RegisteredDocument
  const registry = {
    documents: () => [registered],
    document: (version: string) => (version === B ? registered : undefined),
    report: (partition: number) => reports.find((each) => each.partition === partition),
  }
  return registryFindings(registry, refused, { partitions: 2, atHand: new Set(atHand) })
}
const textsOf = (findings: ReturnType<typeof findingsOf>) =>
  findings.map(({ status, what }) => `${status} ${what}`)

test('a registry without changes is well', () => assert.deepEqual(textsOf(findingsOf([])), ['ok 1 document']))

test('versions that are active are at hand as files, or registered', () => {
  const running = { policy: { version: B, offset: '5' } }
  const both = [0, 1].map((partition) => reportOf(partition, { active: { bundle: A, policy: B }, running }))
  assert.deepEqual(textsOf(findingsOf(both)), ['ok 1 document', 'ok not thrown'])
  assert.deepEqual(textsOf(findingsOf(both, [], [])), [
    `fail version ${A} is active and not registered`,
    'ok not thrown',
  ])
})

test('partitions that stand at different changes, or refused one', () => {
  assert.match(textsOf(findingsOf([reportOf(0)]))[0] ?? '', /^warn the partitions have 2 different/)
  assert.match(
    textsOf(findingsOf([reportOf(0), reportOf(1, {}, 'c-2')]))[0] ?? '',
    /^warn .* have 2 different/,
  )
  const refused = { ...reportOf(1), refused: { code: 'control_stale', message: 'too old' } }
  assert.deepEqual(textsOf(findingsOf([reportOf(0), refused])).slice(0, 1), [
    'warn partition 1 refused the change `c-1`: control_stale: too old',
  ])
})

test('reports a stop, with who made it', () => {
  const stops = [{ tenant: 'acme', by: 'ada', time: 1, reason: 'a leak' }]
  const stopped = [0, 1].map((partition) => reportOf(partition, { stops }))
  assert.equal(textsOf(findingsOf(stopped)).at(-1), 'warn tenant acme stopped by ada: a leak')
})

test('records that are not valid are counted', () => {
  const refused = [{ key: 'x', offset: 3n, reason: 'not_json', message: 'its value is not JSON' }] as const
  assert.match(
    textsOf(findingsOf([], refused))[0] ?? '',
    /^warn 1 record are not valid, such as `x`: its value/,
  )
})

test('a record that is not believed: with another key, the key is to be looked at', () => {
  const refused = { key: 'partition/0', offset: 3n, message: 'forged' }
  const mendOf = (reason: 'signature_invalid' | 'hash_mismatch') =>
    findingsOf([], [{ ...refused, reason }])[0]?.remedy ?? ''
  assert.match(mendOf('signature_invalid'), /^see whether PLIMSOLL_SIGNING_KEY is that of the monitors/)
  assert.equal(mendOf('hash_mismatch'), 'see who may write to that topic')
})
