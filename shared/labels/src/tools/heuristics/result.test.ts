import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../words-of.js'
import { heuristicClaims } from './result.js'

test('wordsOf splits names into words', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['getUnreadEmails', 'get unread email'],
    ['mcp__mail__send-messages', 'mcp mail send message'],
    ['search_branches', 'search branch'],
    ['list_queries', 'list query'],
    ['get_news_status', 'get news status'],
    ['readHTML5Pages', 'read html5 page'],
    ['', ''],
    ['***', ''],
  ]
  for (const [name, words] of rows) assert.equal(wordsOf(name).join(' '), words)
})

/** By name: capability, confidentiality, trust, reversibility. `-` means confidentiality none; a missing label means no known word. */
const NAMES: Readonly<Record<string, string>> = {
  calculate: 'read - trusted reversible',
  get_current_time: 'read - trusted reversible',
  readDocument: 'read internal untrusted reversible',
  list_directory: 'read internal trusted reversible',
  remove_folder: 'write - trusted irreversible',
  search_inbox: 'read sensitive untrusted reversible',
  get_sent_mail: 'read sensitive trusted reversible',
  forward_mail: 'network - trusted irreversible',
  create_meeting: 'network - trusted partial',
  list_transactions: 'read sensitive untrusted reversible',
  get_scheduled_payments: 'read sensitive trusted reversible',
  pay_bill: 'network - trusted irreversible',
  schedule_payment: 'network - trusted partial',
  set_password: 'write - trusted irreversible',
  get_api_key: 'read credentials trusted reversible',
  fetch_webpage: 'network public untrusted reversible',
  publish_page: 'network - trusted irreversible',
  run_shell_command: 'execute internal untrusted partial',
  send_direct_message: 'network - trusted irreversible',
  send_channel_message: 'network - trusted partial',
  kick_member: 'absent internal untrusted absent',
  remove_member: 'write - trusted partial',
  get_reviews_of_restaurant: 'read public untrusted reversible',
  get_restaurant_address: 'read public trusted reversible',
  toggle_notifications: 'write - trusted reversible',
  export_database: 'read sensitive trusted reversible',
  grant_access: 'network - trusted partial',
  can_send_message: 'read internal untrusted reversible',
  can_send_and_delete_message: 'network - trusted partial',
  // Somebody of the house goes on: nothing is sent, nothing is paid.
  transfer_to_human_agents: 'write - trusted reversible',
  forward_to_support: 'write - trusted reversible',
  transfer_call: 'network - trusted partial',
  transfer_ticket: 'network - trusted partial',
  transfer_conversation: 'network - trusted partial',
  transfer_chat_ownership: 'network internal untrusted partial',
  transfer_funds_to_agent: 'network - trusted irreversible',
  transfer_to_agent_wallet: 'network - trusted irreversible',
  transfer_account_to_owner: 'network - trusted irreversible',
  transfer_repo_ownership: 'network - trusted irreversible',
  forward_message_to_agent: 'network - trusted partial',
  forward_email_to_support: 'network - trusted irreversible',
  transfer_file_to_human: 'network - trusted irreversible',
}

for (const [name, expected] of Object.entries(NAMES))
  test(`labels the name \`${name}\``, () => {
    const { capability, confidentiality, trust, reversibility } = heuristicClaims({ name }).labels
    const found = [capability, confidentiality, trust, reversibility].map((claim) => claim?.value ?? 'absent')
    assert.equal(found.join(' ').replace('none', '-'), expected)
  })

test('a look with a URL argument is a network request', () => {
  const claims = (properties: unknown) =>
    heuristicClaims({ name: 'get_summary', inputSchema: { type: 'object', properties } }).labels.capability
  assert.equal(claims({ url: { type: 'string' } })?.value, 'network')
  assert.equal(claims({ source: { type: 'string', format: 'uri' } })?.value, 'network')
  for (const properties of [{ source: { type: 'string' } }, null, 7, []])
    assert.equal(claims(properties)?.value, 'read')
})

test('a question whose description sends is no question', () => {
  const description = 'Sends a message to the number.'
  assert.equal(heuristicClaims({ name: 'can_send_mms', description }).labels.capability?.value, 'network')
})

test('a transfer to a person is a payment where its description or its arguments speak of money', () => {
  const reversibility = (more: object) =>
    heuristicClaims({ name: 'transfer_to_representative', ...more }).labels.reversibility?.value
  assert.equal(reversibility({ description: 'Transfers the caller to a colleague.' }), 'reversible')
  assert.equal(reversibility({ description: 'Transfers the given amount.' }), 'irreversible')
  const properties = { currency: { type: 'string' } }
  assert.equal(reversibility({ inputSchema: { type: 'object', properties } }), 'irreversible')
})
