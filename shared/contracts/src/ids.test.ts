import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DECISION_KINDS,
  decisionId,
  idSchema,
  parseDecisionId,
  toolNameSchema,
  versionSchema,
} from './ids.js'

test('ids', () => {
  for (const id of ['a', '0', 'urn:uuid:1', 'user@host/x+y=z~w-v_1.2', 'x'.repeat(160)])
    assert.ok(idSchema.safeParse(id).success, id)
  for (const id of ['', 'x'.repeat(161), 'a#b', '-a', ' a', 'a b', 'a\n', 'ä', '.a', null, 1])
    assert.ok(!idSchema.safeParse(id).success, String(id))
})

test('tool names', () => {
  for (const name of ['a', 'mcp__mail__send', 'a.b/c-d', '{x}', '!'.repeat(200)])
    assert.ok(toolNameSchema.safeParse(name).success, name)
  for (const name of ['', 'a b', 'a\t', 'é', '!'.repeat(201), 7])
    assert.ok(!toolNameSchema.safeParse(name).success, String(name))
})

test('versions', () => {
  assert.ok(versionSchema.safeParse('0123456789abcdef'.repeat(2)).success)
  for (const version of ['', '0'.repeat(31), '0'.repeat(33), 'A'.repeat(32), 'g'.repeat(32)])
    assert.ok(!versionSchema.safeParse(version).success, version)
})

test('a decision id is taken apart into what it was made of', () => {
  for (const kind of DECISION_KINDS)
    assert.deepEqual(parseDecisionId(decisionId('s:1', 'e/2', kind)), {
      sessionId: 's:1',
      eventId: 'e/2',
      kind,
    })
  for (const id of ['', 's', 's#e', 's#e#', 's#e#other', '#e#step', 's##step', 's#e#step#x'])
    assert.equal(parseDecisionId(id), undefined, id)
})
