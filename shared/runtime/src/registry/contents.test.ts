import assert from 'node:assert/strict'
import { test } from 'node:test'
import { versionOf, type Catalogue, type Control, type PartitionReport } from '@plimsoll/contracts'
import { createContents } from './contents.js'
import type { Entry } from './examine.js'

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

test('a document counts once, and one that would not fit is refused without those before it', () => {
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
