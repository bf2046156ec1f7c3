import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue, ToolLabels } from '@plimsoll/contracts'
import { createLabeller } from './entries.js'

const READ: ToolLabels = { capability: 'read', reversibility: 'reversible' }
const WRITE: ToolLabels = { capability: 'write', reversibility: 'partial' }
const SEND: ToolLabels = { capability: 'network', reversibility: 'irreversible' }

const catalogue = (...tools: Catalogue['tools']): Catalogue => ({
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'test',
  tools,
})

test('an exact name wins over patterns, and earlier patterns over later ones', () => {
  const labelOf = createLabeller(
    catalogue(
      { tools: ['mail_*', 'list'], labels: SEND },
      { tools: ['*_file', 'mail_read', 'list'], labels: READ },
      { tools: ['write_*'], labels: WRITE },
    ),
  )
  const rows: [string, ToolLabels | undefined][] = [
    ['mail_send', SEND],
    ['mail_read', READ],
    ['list', SEND],
    ['write_file', READ],
    ['write_page', WRITE],
    ['unheard_of', undefined],
    ['mail', undefined],
    ['__proto__', undefined],
  ]
  for (const [tool, labels] of rows) assert.equal(labelOf(tool), labels, tool)
})

test('an empty catalogue labels no tool', () => {
  assert.equal(createLabeller(catalogue())('anything'), undefined)
})

test('a tool of an MCP server has the entry of its name there, unless a pattern names the server', () => {
  const labelOf = createLabeller(
    catalogue(
      { tools: ['*send*'], labels: SEND },
      { tools: ['send_draft', 'list'], labels: WRITE },
      { tools: ['mcp__vault__*', 'get_*'], labels: READ },
    ),
  )
  const rows: [string, ToolLabels | undefined][] = [
    ['mcp__mail__send_draft', WRITE],
    ['gmail__list', WRITE],
    ['mail__list', undefined],
    ['mail.send_draft', WRITE],
    ['mail.list', undefined],
    ['MCP:list', WRITE],
    ['mcp__mail__send_now', SEND],
    ['mcp__mail__get_all', READ],
    ['mcp__vault__send_draft', READ],
    ['mcp__mail__purge', undefined],
    ['mail_list', undefined],
  ]
  for (const [tool, labels] of rows) assert.equal(labelOf(tool), labels, tool)
})

test('what a tool returns is not trusted where any server may have its name', () => {
  const read: ToolLabels = { ...READ, trust: 'trusted', confidentiality: 'internal' }
  const labelOf = createLabeller(catalogue({ tools: ['list_files'], labels: read }))
  assert.equal(labelOf('mcp__files__list_files'), read)
  assert.deepEqual(labelOf('filesystem__list_files'), { ...READ, confidentiality: 'internal' })
  assert.equal(
    labelOf('files__list_files'),
    undefined,
    'so the gateway names tools of a server that is not trusted',
  )
})
