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

/** Tools by what their verbs alone do not say: name, description, reversibility. */
const BY_KIND: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  irreversible: [
    ['place_order', 'Place a market order for a stock'],
    ['swap_tokens', ''],
    ['register_domain', ''],
    ['make_call', 'Place a phone call'],
    ['create_item_live', ''],
    ['restore_snapshot', ''],
    ['apply_plan', 'Apply a plan of Terraform'],
    ['unlock_door', ''],
    ['open_garage', ''],
    ['disarm_alarm', ''],
    ['disable_2fa', ''],
    ['approve_payout', ''],
    ['merge_contacts', ''],
    ['reset_factors', ''],
    ['approve_deployment', ''],
    ['posts_delete', ''],
    ['discard_changes', ''],
    ['create_channel_webhook', ''],
  ],
  partial: [
    ['merge_branch', ''],
    ['deactivate_user', ''],
    ['get_shareable_link', ''],
    ['clear_cache', ''],
    ['resolve_incident', ''],
    ['update_site_settings', ''],
    ['approve_time_off', ''],
    ['restore_note', 'Restore a note from the trash'],
    ['send_command', 'Send a command to a device'],
  ],
  reversible: [
    ['archive_card', 'Send a card to the archive'],
    ['set_active_board', 'Set the board for the steps that follow'],
    ['like_tweet', ''],
    ['resolve_library_id', ''],
    ['download_attachment', ''],
    ['estimate_cost', ''],
    ['open_file', ''],
  ],
}

for (const [reversibility, rows] of Object.entries(BY_KIND))
  test(`tools that are ${reversibility} though their verbs could be something else`, () => {
    for (const [name, description] of rows)
      assert.equal(labelsOf(name, description).reversibility, reversibility, name)
  })

test('what an argument says of a tool: how it is paid, whom it reaches, what is marked as done', () => {
  const reversibility = (name: string, ...names: string[]) =>
    labelsOf(name, '', Object.fromEntries(names.map((each) => [each, { type: 'string' }]))).reversibility
  assert.equal(reversibility('book_flight', 'flight', 'payment_method'), 'irreversible')
  assert.equal(reversibility('book_flight', 'flight'), 'partial')
  assert.equal(reversibility('send_message', 'recipient', 'text'), 'irreversible')
  assert.equal(reversibility('send_message', 'channel', 'text'), 'partial')
  assert.equal(labelsOf('complete_task', '', { task_id: { type: 'string' } }).capability, 'write')
})

test('names of labels, types and settings are ours, what stands in a store is not', () => {
  for (const name of ['list_issue_labels', 'get_content_types', 'list_email_labels', 'get_link_types'])
    assert.equal(labelsOf(name).trust, undefined, name)
  for (const name of ['list_issues', 'get_email_content'])
    assert.equal(labelsOf(name).trust, 'untrusted', name)
  assert.equal(labelsOf('aggregate', 'Aggregate documents of a collection').trust, 'untrusted')
})
