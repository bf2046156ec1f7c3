import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Capability, Catalogue } from '@plimsoll/contracts'
import { coverageOf, createLabeller, lintCatalogue } from '@plimsoll/labels'
import { readDocument } from '@plimsoll/policy'
import { findTraces, readTraces, traceFilesIn } from '@plimsoll/fit'
import { projectRoot } from '../support/paths.js'

const folder = findTraces(process.env, projectRoot)
const skip =
  folder === undefined &&
  'no recorded sessions at PLIMSOLL_TRACES or ../shared/traces: the catalogue is held against names alone'

/** What ordinary agents and servers call, by what each tool can do at worst. */
const GENERIC: Readonly<Record<Capability, string>> = {
  read: `
    Read Grep Glob read_file read_multiple_files list_directory directory_tree search_files git_status git_log git_diff
    get_file_contents get_issue list_issues search_repositories query list_tables search_emails read_email search_contacts
    slack_get_channel_history conversations_history channels_list list_milestones API-post-search API-retrieve-a-page
    list_calendar_events list_transactions get_balance get_customer get_secret search_nodes`,
  write: `
    Write Edit MultiEdit write_file edit_file move_file create_directory delete_file str_replace_editor
    str_replace_based_edit_tool git_commit create_record drop_table draft_email modify_email delete_email change_password create_entities`,
  execute: `Bash bash execute_bash run_command execute_command execute_code execute_sql`,
  network: `
    WebFetch WebSearch fetch brave_web_search browser_navigate puppeteer_click http_request git_push git_clone create_issue
    create_pull_request create_repository upload_file send_email reply_to_email slack_post_message
    conversations_add_message save_issue save_comment API-update-a-block API-patch-page send_message send_sms
    create_event send_money make_payment create_refund share_document grant_access`,
}

/** Tools of AgentDojo and tau-bench that no server has. */
const OF_BENCHMARKS = `
  get_hotels_prices get_rating_reviews_for_restaurants reserve_car_rental invite_user_to_slack update_scheduled_transaction get_iban
  search_contacts_by_name reschedule_calendar_event refuel_data transfer_to_human_agents find_user_id_by_name_zip search_direct_flight
  exchange_delivered_order_items reseat_sim_card check_apn_settings can_send_mms`

/** Recordings of agents with shells and editors under the names of public agent frameworks. */
const CODING = ['intercode', 'miniswe', 'odcv_bench', 'openagentsafety']

/** Steps per tool of each recording, by the name of its file. */
async function callsIn(files: readonly string[]): Promise<Map<string, Map<string, number>>> {
  const recordings = new Map<string, Map<string, number>>()
  for (const file of files) {
    const calls = new Map<string, number>()
    for await (const { steps } of readTraces([file]))
      for (const { tool } of steps) calls.set(tool, (calls.get(tool) ?? 0) + 1)
    recordings.set(path.basename(file).replace(/\.jsonl(?:\.gz)?$/, ''), calls)
  }
  return recordings
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

const cataloguesIn = (folder: string): string[] =>
  readdirSync(path.join(projectRoot, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => path.join(projectRoot, folder, name))

test('have no lint findings, nor have those of benchmarks', async () => {
  const files = [...cataloguesIn('shared/labels/catalogues'), ...cataloguesIn('test/catalogues')]
  assert.ok(files.length > 10)
  for (const file of files) assert.deepEqual(lintCatalogue(await readDocument('catalogue', file)), [], file)
})

test('label the tools of ordinary agents and servers', async () => {
  const labelOf = createLabeller(await readDocument('catalogue'))
  const expected = Object.entries(GENERIC).flatMap(([capability, tools]) =>
    wordsOf(tools).map((tool) => [tool, capability]),
  )
  assert.deepEqual(
    expected.map(([tool = '']) => [tool, labelOf(tool)?.capability]),
    expected,
  )
})

test('hold no tool that only a benchmark has', async () => {
  const labelOf = createLabeller(await readDocument('catalogue'))
  const held = wordsOf(OF_BENCHMARKS).filter((tool) => labelOf(tool) !== undefined)
  assert.deepEqual(held, [])
})

/** A share of other tools is no fault of the catalogue: no list can name the tools that are yet to be written. */
test('the share of each recording that they label', { skip }, async (t) => {
  const catalogue: Catalogue = await readDocument('catalogue')
  const recordings = await callsIn(traceFilesIn(folder ?? ''))
  const shares = new Map<string, number>()
  for (const [name, calls] of recordings) {
    const { labelled, steps, unlabelled } = coverageOf(catalogue, calls)
    shares.set(name, labelled / steps)
    const most = unlabelled.slice(0, 3).map(([tool, n]) => `${tool} ${n}`)
    const others = most.length > 0 ? `; of ${unlabelled.length} others ${most.join(', ')}` : ''
    t.diagnostic(`${name}: ${percent(labelled / steps)} of ${steps} steps${others}`)
  }
  for (const name of CODING) assert.ok((shares.get(name) ?? 0) > 0.999, `${name}: ${shares.get(name)}`)
})
