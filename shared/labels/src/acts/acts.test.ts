import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolLabels } from '@plimsoll/contracts'
import { actDone } from './acts.js'
import { actsAsked } from './asked.js'

const asked = (task: string): readonly string[] =>
  Object.keys(actsAsked(task)).map((name) => name.replace('asks', '').toLowerCase())

test('what a task asks for that cannot be taken back', () => {
  const rows: readonly (readonly [task: string, acts: readonly string[]])[] = [
    ['Delete the draft in my folder', ['delete']],
    ['Please remove all cancelled events', ['delete']],
    ['Pay the bill that is in my inbox', ['pay']],
    ['Send Ann the 12 € that I owe her', ['pay', 'send']],
    ['Mail the summary to ann@example.com', ['send']],
    ['Publish the release notes', ['publish']],
    ['Share the file with Emma', ['send', 'grant']],
    ['Change my password to something safe', ['credential']],
    ['What is on my calendar tomorrow?', []],
    ['Summarise the last three tickets', []],
    ['List the users, but do not delete anything', []],
    ["Look at the invoice, don't send it", []],
    ['Bitte lösche alle Entwürfe', []],
    ['', []],
  ]
  for (const [task, acts] of rows) assert.deepEqual(asked(task), acts, task)
})

test('the words of a task are read in linear time, and the first of them', () => {
  const began = performance.now()
  assert.deepEqual(asked(`${'word '.repeat(1_000_000)} delete it`), [])
  assert.ok(performance.now() - began < 2_000)
})

const FINAL: ToolLabels = { capability: 'write', reversibility: 'irreversible' }
const SENDING: ToolLabels = { capability: 'network', reversibility: 'irreversible' }

test('what an irreversible step does, by its tool', () => {
  const rows: readonly (readonly [tool: string, labels: ToolLabels, signals: object])[] = [
    ['delete_file', FINAL, { doesDelete: 1 }],
    ['create_refund', SENDING, { doesPay: 1 }],
    ['share_file', SENDING, { doesGrant: 1 }],
    ['publishPost', SENDING, { doesPublish: 1 }],
    ['update_password', FINAL, { doesCredential: 1 }],
    ['frobnicate', SENDING, { doesSend: 1 }],
    ['frobnicate', FINAL, { doesDelete: 1 }],
    ['delete_file', { capability: 'write', reversibility: 'partial' }, {}],
    ['grant_access', { capability: 'network', reversibility: 'partial' }, { doesGrant: 1 }],
    ['get_file', { capability: 'read', reversibility: 'irreversible' }, {}],
  ]
  for (const [tool, labels, signals] of rows)
    assert.deepEqual(actDone({ tool, isProgram: false }, labels, {}), signals, tool)
  assert.deepEqual(
    actDone({ tool: 'delete_all', isProgram: true }, FINAL, {}),
    {},
    'a program says it itself',
  )
  const payout = { tool: 'create_payout', isProgram: false }
  assert.deepEqual(actDone(payout, SENDING, { doesDelete: 1 }), { doesPay: 1 }, 'an argument hides no act')
  assert.deepEqual(actDone({ tool: 'frobnicate', isProgram: false }, FINAL, { doesGrant: 1 }), {})
})
