import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolLabels } from '@plimsoll/contracts'
import { actDone } from './act-done.js'

const FINAL: ToolLabels = { capability: 'write', reversibility: 'irreversible' }
const SENDING: ToolLabels = { capability: 'network', reversibility: 'irreversible' }

test('names the irreversible act of a step by its tool', () => {
  const rows: readonly (readonly [tool: string, labels: ToolLabels, signals: object])[] = [
    ['delete_file', FINAL, { doesDelete: 1 }],
    ['create_refund', SENDING, { doesPay: 1 }],
    ['share_file', SENDING, { doesGrant: 1 }],
    ['publishPost', SENDING, { doesPublish: 1 }],
    ['update_password', FINAL, { doesCredential: 1 }],
    ['add_ssh_key', SENDING, { doesCredential: 1 }],
    ['delete_ssh_key', FINAL, { doesDelete: 1 }],
    ['share_ssh_key', SENDING, { doesGrant: 1 }],
    ['send_api_key', SENDING, { doesSend: 1 }],
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
    'the text of a program decides',
  )
  const payout = { tool: 'create_payout', isProgram: false }
  assert.deepEqual(
    actDone(payout, SENDING, { doesDelete: 1 }),
    { doesPay: 1 },
    'an argument does not hide an act',
  )
  assert.deepEqual(actDone({ tool: 'frobnicate', isProgram: false }, FINAL, { doesGrant: 1 }), {})
})
