import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksOnly, ordersChange } from './looks-only.js'

test('a task that asks to look, explain or report asks for nothing else', () => {
  for (const task of [
    'ssh to build4.example.internal is slow to ask for the password. Find out why.',
    'Which nginx version runs on the hosts in group edge?',
    'Check why the nightly report on the Windows server ran twice.',
    'Write down which instances have run for more than a week.',
    'Can you tell me what holds the lock?',
    'we get throttling errors on the table, why?',
    'Find his name and address.',
    'please look into his issue',
    'curl from web01 to api01:8443 times out. Diagnose where packets are dropped.',
  ])
    assert.deepEqual(looksOnly(task), { looksOnly: 1 }, task)
})

test('a task that orders a change does more, and so may a task in other words', () => {
  for (const task of [
    'Find out why the build fails and fix it.',
    'Run the pending migrations in production on app01 and tell me the result.',
    'Restart nginx on web02',
    'Do a rolling restart of the api and wait for it.',
    'The importer hangs. Look into it, then restart the worker.',
    'Please check it and try to address his issue.',
    'Check the ticket and resolve it',
    'Look up the order and complete it',
    'Nginx auf web02 neu starten',
    'the css is broken',
    '',
    `Find out why. ${'x'.repeat(5000)}`,
  ])
    assert.deepEqual(looksOnly(task), {}, task)
})

test('an order stands at the beginning of a sentence, behind `and` or in a condition', () => {
  for (const task of [
    'look at sentry WEB-4K2, whats the cause? make a jira bug in SHOP with the finding',
    'why did !1187 fail? if its just the flaky docker pull retry the job',
    'whats open for me, answer the one about the CSV export',
    'see what is stuck and restart it',
  ])
    assert.ok(ordersChange(task), task)
  for (const task of [
    'which issues are stale? just give me a list',
    'how do I delete a branch and restore it',
    'open the page and tell me the price',
    'make a table of the costs',
    'run the tests and report',
  ])
    assert.ok(!ordersChange(task), task)
})

test('`&` joins orders as `and` does', () => {
  assert.deepEqual(looksOnly('The timer never fires, find out & fix'), {})
  assert.deepEqual(looksOnly('Find & list the slow queries'), { looksOnly: 1 })
})
