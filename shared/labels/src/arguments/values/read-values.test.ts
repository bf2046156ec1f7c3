import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolLabels } from '@plimsoll/contracts'
import { labelStep } from '../label-step.js'

type Args = Readonly<Record<string, unknown>>

const WRITES: ToolLabels = { capability: 'write', reversibility: 'partial' }
const LOOKS: ToolLabels = { capability: 'read', reversibility: 'reversible' }

const organisation = { domains: ['ours.example'] }

/** The acts of a call of a tool with these labels, whose catalogue says nothing of its arguments. */
function actsOf(tool: string, args: Args, labels: ToolLabels = WRITES): string[] {
  const { signals, labels: found } = labelStep(tool, args, { tools: [tool], labels }, organisation)
  const acts = Object.keys(signals).filter((name) => name.startsWith('does'))
  assert.equal(acts.length > 0, found.reversibility === 'irreversible', `${tool} ${JSON.stringify(args)}`)
  return acts
}

type Row = readonly [tool: string, args: Args]

/** By act: calls whose values do it. */
const ACTS: Readonly<Record<string, readonly Row[]>> = {
  doesPublish: [
    ['create_article', { status: 'published' }],
    ['update_video', { privacyStatus: 'PUBLIC' }],
    ['put_object', { acl: 'public-read' }],
    ['edit_repo', { private: false }],
    ['update_campaign', { status: 'ACTIVE' }],
    ['start_run', { auto_approve: true }],
    ['trigger_job', { job_name: 'deploy-eu' }],
  ],
  doesGrant: [
    ['add_account', { roles: ['administrator'] }],
    ['attach', { policy_arn: 'arn:aws:iam::aws:policy/AdministratorAccess' }],
    ['set_sharing', { type: 'anyone', role: 'reader' }],
    ['create_token', { scopes: ['*'] }],
    ['put_policy', { policy: '{"Statement":[{"Effect":"Allow","Principal":"*"}]}' }],
    ['apply', { manifest: 'kind: RoleBinding\nmetadata:\n  name: a\n' }],
    ['apply', { manifest: 'spec:\n  sources:\n  - 0.0.0.0/0\n' }],
    ['modify_database', { deletion_protection: false }],
    ['set_option', { key: 'require_2fa', value: false }],
    ['set_firewall', { enabled: 'false' }],
    ['update_rules', { allow_force_pushes: true }],
    ['call_service', { service: 'unlock', target: { id: 'lock.front' } }],
    ['turn_off', { entity: 'alarm_control_panel.home' }],
    ['create_rule', { actions: { forwardTo: [{ address: 'a@far.example' }] } }],
    ['invite_person', { email: 'a@far.example' }],
  ],
  doesDelete: [
    ['scale', { replicas: 0 }],
    ['upgrade', { values: { replicaCount: 0 } }],
    ['set_retention', { days: 0 }],
    ['update_deal', { status: 'deleted' }],
    ['call', { method: 'users.delete' }],
    ['scale_service', { count: 0 }],
    ['set_log_retention', { days: 0 }],
    ['sync', { prune: true }],
    ['update_many', { filter: {}, update: { a: 1 } }],
  ],
  doesPay: [
    ['update_item', { price: '0.00' }],
    ['create_discount', { value_type: 'percentage', value: 100 }],
    ['update_person', { fields: { salary: 9 } }],
    ['run_action', { action: 'refund_charge' }],
  ],
  doesSend: [
    ['update_event', { sendUpdates: 'all' }],
    ['cancel', { notify_customer: true }],
    ['run_action', { action: 'mail.send_message' }],
    ['update_monitor', { webhook_url: 'https://far.example/h' }],
  ],
}

for (const [act, rows] of Object.entries(ACTS))
  test(`values that show \`${act}\``, () => {
    for (const [tool, args] of rows)
      assert.ok(actsOf(tool, args).includes(act), `${tool} ${JSON.stringify(args)}`)
  })

test('the same tools with other values do nothing of the kind', () => {
  const rows: readonly Row[] = [
    ['create_article', { status: 'draft', title: 'Open the garage door to everyone' }],
    ['update_video', { privacyStatus: 'private' }],
    ['edit_repo', { private: true }],
    ['create_channel', { private: false }],
    ['add_account', { roles: ['viewer'], owner: 'octo' }],
    ['set_sharing', { type: 'user', role: 'reader' }],
    ['put_policy', { policy: '{"Statement":[{"Effect":"Deny","Principal":"*"}]}' }],
    ['apply', { manifest: 'kind: RoleBinding\n', dryRun: true }],
    ['apply', { manifest: 'kind: ConfigMap\ndata:\n  LEVEL: debug\n' }],
    ['modify_database', { deletion_protection: true, name: 'protection' }],
    ['set_option', { key: 'theme', value: false }],
    ['run_tests', { command: 'pytest', requires_approval: false }],
    ['call_service', { service: 'turn_on', target: { id: 'light.hall' } }],
    ['call_service', { service: 'lock', target: { id: 'lock.front' } }],
    ['create_rule', { actions: { moveTo: 'a@far.example' } }],
    ['create_rule', { actions: { forwardTo: 'a@ours.example' } }],
    ['scale', { replicas: 2, minReplicas: 0 }],
    ['set_retention', { days: 30 }],
    ['update_deal', { status: 'won' }],
    ['update_many', { filter: { id: 1 }, update: { a: 1 } }],
    ['create_event', { sendUpdates: 'all' }],
    ['update_event', { sendUpdates: 'none' }],
    ['run_action', { action: 'find_message' }],
    ['edit_person', { role: 'Owner of a bakery' }],
    ['track_event', { properties: { price: 0 } }],
    ['start_box', { env: { ADMIN: true } }],
    ['run_job', { method: 'users.list' }],
    ['write_file', { path: 'a.json', content: '{"private":false,"status":"public"}' }],
  ]
  for (const [tool, args] of rows) assert.deepEqual(actsOf(tool, args), [], `${tool} ${JSON.stringify(args)}`)
})

test('a tool that only looks filters by such values, unless it stores what it finds', () => {
  assert.deepEqual(actsOf('list_articles', { status: 'published', role: 'admin' }, LOOKS), [])
  assert.deepEqual(actsOf('aggregate', { pipeline: [{ $out: 'b' }] }, LOOKS), ['doesOverwrite'])
})

test('values without end, or nested without end, are read in their beginning', () => {
  let deep: unknown = { role: 'admin' }
  for (let i = 0; i < 5_000; i += 1) deep = { deep }
  const wide = Array.from({ length: 50_000 }, () => ({ status: 'draft' }))
  const args = { deep, wide, manifest: `a:\n${'- b: '.repeat(10_000)}` }
  const { signals } = labelStep('update', args, { tools: ['update'], labels: WRITES }, organisation)
  assert.equal(signals['doesGrant'], undefined)
})
