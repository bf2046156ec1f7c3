import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Catalogue } from '@plimsoll/contracts'
import { labelTool } from './label-tool.js'

const NONE: Catalogue = { schema: 1, kind: 'plimsoll.catalogue', name: 'none', tools: [] }
const labelsOf = (name: string, description = '', properties: object = {}) =>
  labelTool({ name, description, inputSchema: { type: 'object', properties } }, NONE).labels

test('a query that may write is no look, whatever its name begins with', () => {
  const writes = labelsOf('write_query', 'Execute an INSERT, UPDATE, or DELETE query on the database')
  assert.notEqual(writes.capability, 'read')
  assert.notEqual(writes.reversibility, 'reversible')
  const any = labelsOf('pg_psql', 'Execute SQL queries: analyze, debug, modify schema, manage data')
  assert.notEqual(any.capability, 'read')
  assert.equal(labelsOf('read_query', 'Execute a SELECT query on the database').capability, 'read')
})

test('a webhook sends from now on, and a rule that forwards passes on', () => {
  assert.equal(labelsOf('create_webhook', 'Create a webhook for events').reversibility, 'irreversible')
  assert.equal(labelsOf('list_webhooks', 'List all webhooks').capability, 'read')
  const action = { type: 'object', properties: { forward: { type: 'string' } } }
  assert.equal(labelsOf('create_filter', 'Creates a mail filter', { action }).reversibility, 'partial')
})

test('what is due from then on, and what goes live, cannot be taken back', () => {
  for (const name of ['finalize_invoice', 'capture_payment', 'pipelines_promote'])
    assert.equal(labelsOf(name, 'Promotes or finalizes it').reversibility, 'irreversible', name)
})

test('a secret that a tool makes is in its result', () => {
  assert.equal(labelsOf('create_api_token', 'Issue a new token').confidentiality, 'sensitive')
})

test('a tool that only looks at a page changes nothing there', () => {
  assert.equal(labelsOf('browser_snapshot', 'Capture a snapshot of the page').reversibility, 'reversible')
  assert.equal(labelsOf('browser_click', 'Click an element').reversibility, 'partial')
})
