import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue, ToolLabels } from '@plimsoll/contracts'
import type { ToolDefinition } from './claim.js'
import { isReadByName } from './by-name.js'
import { META_KEY, labelTool } from './label-tool.js'

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

test('labels in `_meta` override the words of the name, label by label', () => {
  const tool = { name: 'get_price', _meta: { [META_KEY]: { confidentiality: 'sensitive', tags: ['deal'] } } }
  const { labels, perLabel } = labelTool(tool)
  assert.deepEqual(labels, { ...READ, confidentiality: 'sensitive', tags: ['deal'] })
  assert.equal(perLabel.confidentiality.source, 'meta')
  assert.equal(perLabel.capability.source, 'heuristics')
})

test('an untrusted server cannot make a tool milder than its name', () => {
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

test('a description can raise the labels of the name but never lowers them', () => {
  const labels = (description: string) => labelTool({ name: 'update_entry', description }).labels
  assert.equal(labels('Updates an entry').capability, 'write')
  assert.equal(labels('Updates an entry and notifies everyone').capability, 'network')
  assert.equal(labels('Updates an entry permanently').reversibility, 'irreversible')
  assert.equal(labels('Read-only and harmless. Only reads. Gets nothing.').capability, 'write')
})

test('annotations bound unknown labels: a reader reads, a writer at least writes', () => {
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

test('an unknown tool gets cautious labels and a doubt', () => {
  const { labels, doubts } = labelTool({ name: 'frobnicate' })
  assert.deepEqual(labels, {
    capability: 'write',
    confidentiality: 'internal',
    trust: 'untrusted',
    reversibility: 'partial',
  })
  assert.equal(doubts.length, 4)
})

test('invalid labels in `_meta` are ignored', () => {
  for (const value of [null, 'read', ['read'], { capability: 'fly' }, { capability: 'read', more: 1 }, 7])
    assert.deepEqual(labelTool({ name: 'x', _meta: { [META_KEY]: value } }), labelTool({ name: 'x' }))
})

test('labels hostile names and texts without error', () => {
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
  for (const name of names) {
    assert.equal(labelTool({ name, description: 'aA'.repeat(5e6), inputSchema: deep }).tool, name)
    assert.ok(labelTool({ name }).labels.capability)
  }
})

test('isReadByName accepts only names that plainly read', () => {
  for (const name of ['ping', 'list_files', 'search', 'describeTable', 'get_balance'])
    assert.ok(isReadByName(name), name)
  for (const name of [
    'submit',
    'submitAnswer',
    'final_answer',
    'end',
    'noop',
    'attempt_completion',
    'mcp__docs__resolve-library-id',
  ])
    assert.ok(isReadByName(name), name)
  for (const name of [
    'get_password',
    'delete_file',
    'get_or_create_user',
    'fetch_url',
    'frobnicate',
    'mcp__forms__submit',
    'submit_order',
    'resolve_ticket',
    'resolve_and_close_id',
    'end_call',
    '',
    'a'.repeat(200),
  ])
    assert.ok(!isReadByName(name), name)
})
