import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolLabels } from '@plimsoll/contracts'
import { createEntryFinder, createLabeller, labelStep } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'

const catalogue = await readDocument('catalogue')
const entryOf = createEntryFinder(catalogue)

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>]
type Labels = Pick<ToolLabels, 'capability' | 'reversibility'>

/** One call of each kind: what its arguments make of a tool of many operations. */
const CALLS: readonly (readonly [...Call, Labels['capability'], Labels['reversibility']])[] = [
  ['label_write', { method: 'create', name: 'bug' }, 'network', 'partial'],
  ['label_write', { method: 'delete', name: 'bug' }, 'network', 'irreversible'],
  ['projects_write', { method: 'a_new_one' }, 'network', 'irreversible'],
  ['actions_run_trigger', { method: 'cancel_workflow_run', run_id: 7 }, 'network', 'partial'],
  ['actions_run_trigger', { method: 'run_workflow', workflow_id: 'release.yml' }, 'network', 'irreversible'],
  ['manage_event', { action: 'update', event_id: 'e1' }, 'network', 'partial'],
  ['manage_event', { action: 'delete', event_id: 'e1' }, 'network', 'irreversible'],
  ['manage_focus_time', { action: 'list' }, 'read', 'reversible'],
  ['create_filter', { criteria: {}, action: { addLabelIds: ['Receipts'] } }, 'write', 'partial'],
  ['create_filter', { criteria: {}, action: { forward: 'ann@example.org' } }, 'network', 'irreversible'],
  ['create_filter', { criteria: {}, action: { addLabelIds: ['TRASH'] } }, 'write', 'irreversible'],
  ['call_aws', { cli_command: 'aws s3 ls' }, 'network', 'reversible'],
  ['call_aws', { cli_command: 'aws s3 rm s3://logs --recursive' }, 'network', 'irreversible'],
  ['call_aws', {}, 'execute', 'irreversible'],
  ['kubectl_generic', { command: 'get', resourceType: 'pods' }, 'read', 'reversible'],
  ['kubectl_generic', { command: 'delete', resourceType: 'namespace' }, 'execute', 'irreversible'],
  ['kubectl_rollout', { subCommand: 'status' }, 'read', 'reversible'],
  ['execute_sql', { query: 'select name from orders' }, 'read', 'reversible'],
  ['d1_database_query', { sql: 'drop table orders' }, 'write', 'irreversible'],
  ['update-many', { filter: { _id: 'a' }, update: { $set: { n: 1 } } }, 'write', 'partial'],
  ['update-many', { filter: {}, update: { $set: { n: 1 } } }, 'write', 'irreversible'],
  ['aggregate', { pipeline: [{ $match: { n: 1 } }, { $out: 'orders' }] }, 'write', 'irreversible'],
  ['alerting_manage_rules', { operation: 'list' }, 'read', 'reversible'],
  ['alerting_manage_rules', { operation: 'delete' }, 'network', 'irreversible'],
  ['grafana_api_request', { endpoint: '/api/org', method: 'GET' }, 'network', 'reversible'],
  ['HassTurnOff', { domain: ['light'], area: 'kitchen' }, 'write', 'partial'],
  ['HassTurnOff', { domain: ['lock'], name: 'front door' }, 'write', 'irreversible'],
  ['ha_call_service', { domain: 'light', service: 'turn_on' }, 'write', 'partial'],
  ['ha_call_service', { domain: 'lock', service: 'unlock' }, 'network', 'irreversible'],
]

test('of servers with few tools for many operations, the arguments tell which one it is', () => {
  for (const [tool, args, capability, reversibility] of CALLS) {
    const { labels } = labelStep(tool, args, entryOf(tool), catalogue.organisation)
    const found = [labels.capability, labels.reversibility]
    assert.deepEqual(found, [capability, reversibility], `${tool} ${JSON.stringify(args)}`)
  }
})

test('what holds secrets is labelled so, and a secret of a cluster only where it is asked for', () => {
  const labelOf = createLabeller(catalogue)
  for (const tool of [
    'get_secret_scanning_alert',
    'browser_cookie_list',
    'list_network_requests',
    'call_aws',
  ])
    assert.equal(labelOf(tool)?.confidentiality, 'credentials', tool)
  const cluster = (resourceType: string) =>
    labelStep('kubectl_get', { resourceType }, entryOf('kubectl_get'), undefined).labels.confidentiality
  assert.deepEqual(['pods', 'secret', 'pods,secrets'].map(cluster), [
    'internal',
    'credentials',
    'credentials',
  ])
})

/** A tool of each server that ships labelled, by the server's name. */
const TOOLS = {
  airtable: 'delete_records',
  atlassian: 'jira_transition_issue',
  'atlassian, hosted': 'editJiraIssue',
  aws: 'call_aws',
  'brave search': 'brave_news_search',
  'chrome devtools': 'take_snapshot',
  cloudflare: 'kv_namespaces_list',
  context7: 'query-docs',
  datadog: 'get_rum_events',
  'desktop commander': 'start_process',
  discord: 'discord_send',
  elasticsearch: 'list_indices',
  exa: 'web_search_exa',
  figma: 'get_figma_data',
  firecrawl: 'firecrawl_scrape',
  github: 'pull_request_review_write',
  gmail: 'batch_delete_emails',
  'google calendar': 'respond-to-event',
  'google workspace': 'modify_doc_text',
  grafana: 'query_prometheus',
  'home assistant': 'HassTurnOn',
  hubspot: 'hubspot-batch-update-objects',
  kubernetes: 'kubectl_apply',
  'microsoft 365': 'send-mail',
  mongodb: 'drop-collection',
  pagerduty: 'manage_incidents',
  playwright: 'browser_run_code_unsafe',
  postgres: 'analyze_db_health',
  puppeteer: 'puppeteer_hover',
  redis: 'hgetall',
  sentry: 'search_issue_events',
  sqlite: 'append_insight',
  stripe: 'finalize_invoice',
  supabase: 'deploy_edge_function',
  tavily: 'tavily_extract',
}

test('the tools of much used servers have labels, also under the names that coding agents give them', () => {
  const labelOf = createLabeller(catalogue)
  for (const [server, tool] of Object.entries(TOOLS)) {
    assert.ok(labelOf(tool), `${server}: ${tool}`)
    assert.equal(labelOf(`mcp__${server.replaceAll(/\W+/g, '-')}__${tool}`), labelOf(tool))
  }
})
