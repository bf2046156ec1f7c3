import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryByName, isReadByName } from './by-name.js'

test('a name is read behind that of its server', () => {
  for (const name of [
    'mcp__google-workspace__search_drive_files',
    'mcp__google-calendar__get-event',
    'deploy_tools__list_releases',
    'issue_read',
    'pull_request_read',
    'mcp__forge__merge_request_get',
    'pods_log',
    'salesforce_aggregate_query',
    'get_cost_and_usage',
    'get_send_checklist',
    'calculate_refund',
    'list_refunds',
  ])
    assert.equal(isReadByName(name), true, name)
  for (const name of [
    'mcp__reader__delete_item',
    'merge_pull_request',
    'order_status_reset',
    'get_password',
    'list_api_keys',
    'get_and_delete_item',
    'get_rid_of_files',
    'food_log',
    'preview_delete',
  ])
    assert.equal(isReadByName(name), false, name)
})

test('a plain name says what a tool changes', () => {
  const rows = [
    ['mcp__tracker__add_comment', 'network', 'partial'],
    ['toggle_lamp', 'write', 'reversible'],
    ['updateLead', 'write', 'partial'],
    ['delete_channel', 'write', 'irreversible'],
    ['send_email', 'network', 'irreversible'],
    ['create_payment', 'network', 'irreversible'],
    ['send_message', 'network', 'partial'],
    ['send_bulk_message', 'network', 'irreversible'],
    ['sign_envelope', 'network', 'irreversible'],
    ['playMusic', 'write', 'reversible'],
  ] as const
  for (const [name, capability, reversibility] of rows)
    assert.deepEqual(entryByName(name), { tools: [name], labels: { capability, reversibility } }, name)
  for (const name of ['frobnicate', 'call_me', 'list_files', 'run_agent', 'x', '__', ''])
    assert.equal(entryByName(name), undefined, name)
})

test('a tool that runs what it is given is known by its name, and what shows its output is none', () => {
  const readings = (name: string) => [...new Set(entryByName(name)?.arguments?.map(({ as }) => as))]
  for (const name of ['run_bash', 'mcp__box__execute_command', 'shell', 'exec_in_terminal', 'aws__call_aws'])
    assert.deepEqual(readings(name), ['shell'], name)
  for (const name of ['run_powershell', 'Powershell-Tool'])
    assert.deepEqual(readings(name), ['powershell'], name)
  for (const name of ['mcp__prod-postgres__execute', 'run_snowflake_query', 'mysql_execute_sql'])
    assert.deepEqual(readings(name), ['sql'], name)
  for (const name of ['get_terminal_output', 'kill_shell', 'list_commands', 'query_metrics'])
    assert.deepEqual(readings(name), [], name)
})

test('a long name is read too, and names that repeat are read once', () => {
  const name = 'create_'.repeat(20_000)
  assert.equal(entryByName(name)?.labels.capability, 'write')
  assert.equal(entryByName('add_note'), entryByName('add_note'))
})
