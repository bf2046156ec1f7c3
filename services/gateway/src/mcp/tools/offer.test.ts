import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import type { Tool } from '@modelcontextprotocol/server'
import { serverOfCommand } from '../servers-file.js'
import { offerOf, type OfferTerms, type ToolSource } from './offer.js'
import { pinsOf } from './pins.js'

const CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'test',
  tools: [
    {
      tools: ['read_file', 'mail__send'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
  ],
}

const sourceOf = (name: string, options: { prefix?: boolean; trustNames?: boolean } = {}): ToolSource => ({
  name,
  spec: { ...serverOfCommand(['true'], []), prefix: true, trustNames: false, ...options },
  tools: async () => [],
})

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
})

function offer(
  listed: readonly Tool[],
  more: Partial<OfferTerms> & { approved?: readonly Tool[]; source?: ToolSource } = {},
) {
  const { approved = listed, source = sourceOf('files'), ...terms } = more
  return offerOf(source, listed, {
    pins: pinsOf(approved, 0),
    catalogue: CATALOGUE,
    requireLabels: false,
    allowsNew: false,
    ...terms,
  })
}

test('prefixes names, so that no server replaces another', () => {
  const names = (source: ToolSource) =>
    offer([tool('read_file')], { source }).offered.map(({ name, asked }) => [name, asked])
  assert.deepEqual(names(sourceOf('files')), [['files__read_file', 'files__read_file']])
  assert.deepEqual(names(sourceOf('files', { prefix: false })), [['read_file', 'files__read_file']])
  assert.deepEqual(names(sourceOf('files', { trustNames: true })), [['files__read_file', 'read_file']])
})

test("does not label an unknown server's tool by its bare name", () => {
  const labelled = (trustNames: boolean) =>
    offer([tool('read_file')], { source: sourceOf('files', { trustNames }) }).offered[0]?.labels !== undefined
  assert.equal(labelled(false), false)
  assert.equal(labelled(true), true)
})

const APPROVED = tool('send', { description: 'sends', annotations: { readOnlyHint: false } })
for (const [what, now, why] of [
  ['its description', { description: 'sends, and tells nobody' }, /changed.*description/],
  [
    'its schema',
    { inputSchema: { type: 'object', properties: { bcc: { type: 'string' } } } },
    /changed.*inputSchema/,
  ],
  ['its annotations', { annotations: { readOnlyHint: true } }, /changed.*annotations/],
  ['its title', { title: 'Read' }, /changed.*title/],
  ['what it returns', { outputSchema: { type: 'object' } }, /changed.*outputSchema/],
  ['its labels', { _meta: { 'dev.plimsoll/labels': { capability: 'read' } } }, /changed.*_meta/],
] as const)
  test(`withholds a tool that changed: ${what}`, () => {
    const { offered, withheld } = offer([{ ...APPROVED, ...now }], { approved: [APPROVED] })
    assert.deepEqual(offered, [])
    assert.equal(withheld[0]?.reason, 'changed')
    assert.match(withheld[0]?.why ?? '', why)
  })

test('withholds new, duplicate, unnamed and unlabelled tools, and offers the rest', () => {
  const listed = [
    tool('read_file'),
    tool('twice'),
    tool('twice'),
    tool('no name'),
    tool('x'.repeat(130)),
    tool('__proto__'),
  ]
  const { offered, withheld } = offer(listed, { approved: listed.filter(({ name }) => name !== '__proto__') })
  assert.deepEqual(
    offered.map(({ name }) => name),
    ['files__read_file'],
  )
  assert.deepEqual(
    withheld.map(({ reason }) => reason),
    ['twice', 'twice', 'unnamed', 'unnamed', 'new'],
  )
  assert.deepEqual(
    offer([tool('read_file')], { requireLabels: true }).withheld.map(({ reason }) => reason),
    ['unlabelled'],
  )
})

test("a server's labels only raise the catalogue's", () => {
  const claimed = (more: Partial<Tool>, name = 'send') =>
    offer([tool(name, more)], { source: sourceOf('mail') }).offered[0]?.claimed
  assert.deepEqual(claimed({}), {})
  assert.deepEqual(claimed({ annotations: { readOnlyHint: true, openWorldHint: false } }), {})
  assert.deepEqual(
    claimed({ annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true } }),
    {
      capability: 'write',
      reversibility: 'partial',
    },
  )
  assert.equal(claimed({ annotations: { openWorldHint: true } }, 'get_price')?.trust, 'untrusted')
  assert.deepEqual(claimed({ _meta: { 'dev.plimsoll/labels': { confidentiality: 'credentials' } } }), {
    confidentiality: 'credentials',
  })
  assert.equal(claimed({ annotations: { readOnlyHint: true } }, 'delete_all')?.capability, 'write')
})
