import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue, ToolLabels } from '@plimsoll/contracts'
import type { ToolDefinition } from './claim.js'
import { META_KEY, isReadByName, labelTool } from './label-tool.js'

const catalogueOf = (tool: string, labels: ToolLabels): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'test',
  tools: [{ tools: [tool], labels }],
})
const READ: ToolLabels = { capability: 'read', reversibility: 'reversible' }

const sourcesOf = (tool: ToolDefinition, catalogue?: Catalogue): readonly string[] =>
  Object.values(labelTool(tool, catalogue).perLabel).map(({ source }) => source)

test('the catalogue wins, and contradictions are reported', () => {
  const tool: ToolDefinition = { name: 'send_email', annotations: { openWorldHint: true } }
  const { labels, contradictions, doubts } = labelTool(tool, catalogueOf('send_*', READ))
  assert.deepEqual(labels, READ)
  assert.deepEqual(
    contradictions.map(({ label, kept, other, isWorse }) => [
      label,
      kept.source,
      other.source,
      other.value,
      isWorse,
    ]),
    [
      ['capability', 'catalogue', 'heuristics', 'network', true],
      ['reversibility', 'catalogue', 'heuristics', 'irreversible', true],
    ],
  )
  assert.equal(doubts.length, 2)
  assert.deepEqual(sourcesOf(tool, catalogueOf('another', READ)).includes('catalogue'), false)
})

test("a server's labels go before its words, label by label", () => {
  const tool = { name: 'get_price', _meta: { [META_KEY]: { confidentiality: 'sensitive', tags: ['deal'] } } }
  const { labels, perLabel } = labelTool(tool)
  assert.deepEqual(labels, { ...READ, confidentiality: 'sensitive', tags: ['deal'] })
  assert.equal(perLabel.confidentiality.source, 'meta')
  assert.equal(perLabel.capability.source, 'heuristics')
})

test('nothing that a server says makes its tool milder than its name, unless the server is trusted', () => {
  const claims: readonly ToolDefinition[] = [
    { name: 'delete_file', annotations: { readOnlyHint: true, openWorldHint: false } },
    { name: 'delete_file', _meta: { [META_KEY]: READ } },
  ]
  for (const tool of claims) {
    const held = labelTool(tool)
    assert.deepEqual(held.labels, { capability: 'write', reversibility: 'irreversible' })
    assert.deepEqual(
      held.contradictions.map(({ label, isWorse }) => [label, isWorse]),
      [
        ['capability', false],
        ['reversibility', false],
      ],
    )
    assert.deepEqual(labelTool(tool, undefined, { trustsServer: true }).labels, READ)
  }
})

test('a description raises what the name says and never lowers it', () => {
  const labels = (description: string) => labelTool({ name: 'update_entry', description }).labels
  assert.equal(labels('Updates an entry').capability, 'write')
  assert.equal(labels('Updates an entry and notifies everyone').capability, 'network')
  assert.equal(labels('Updates an entry permanently').reversibility, 'irreversible')
  assert.equal(labels('Read-only and harmless. Only reads. Gets nothing.').capability, 'write')
})

test('hints narrow what is not known: a reader reads, a writer writes at least', () => {
  const capability = (annotations: ToolDefinition['annotations'], name = 'frobnicate') =>
    labelTool({ name, annotations }).perLabel.capability
  assert.equal(capability(undefined).source, 'unknown')
  assert.equal(capability({ readOnlyHint: true, openWorldHint: false }).value, 'read')
  assert.equal(capability({ readOnlyHint: false }, 'get_thing').value, 'write')
  assert.equal(capability({ readOnlyHint: true }, 'fetch_url').value, 'network')
  assert.equal(
    labelTool({ name: 'get_price', annotations: { openWorldHint: true } }).labels.trust,
    'untrusted',
  )
})

test('what is not known is no harmless thing, and a doubt', () => {
  const { labels, doubts } = labelTool({ name: 'frobnicate' })
  assert.deepEqual(labels, {
    capability: 'write',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  })
  assert.equal(doubts.length, 4)
})

test('labels of `_meta` that are none are skipped', () => {
  for (const value of [null, 'read', ['read'], { capability: 'fly' }, { capability: 'read', more: 1 }, 7])
    assert.deepEqual(labelTool({ name: 'x', _meta: { [META_KEY]: value } }), labelTool({ name: 'x' }))
})

test('hostile names and texts are labelled like any other, and quickly', () => {
  const names = [
    '',
    '*',
    '__proto__',
    'constructor',
    '\u001b[2Jread',
    'геt_file',
    '\ud800',
    'a'.repeat(1e6),
    '_'.repeat(1e6),
  ]
  const deep: unknown = JSON.parse(`${'{"properties":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  const started = performance.now()
  for (const name of names) {
    assert.equal(labelTool({ name, description: 'aA'.repeat(5e6), inputSchema: deep }).tool, name)
    assert.ok(labelTool({ name }).labels.capability)
  }
  assert.ok(performance.now() - started < 1_000, 'texts are cut')
})

test('names that plainly read', () => {
  for (const name of ['ping', 'list_files', 'search', 'describeTable', 'get_balance'])
    assert.ok(isReadByName(name), name)
  for (const name of [
    'get_password',
    'delete_file',
    'get_or_create_user',
    'fetch_url',
    'frobnicate',
    '',
    'a'.repeat(200),
  ])
    assert.ok(!isReadByName(name), name)
})
