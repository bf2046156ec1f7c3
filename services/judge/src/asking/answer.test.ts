import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANSWER_SCHEMA, notMilderThanItsName, parseAnswer, type Answer } from './answer.js'
import { sampleAnswer } from './sample-model-server.js'

const HARMLESS: Answer = {
  capability: 'read',
  confidentiality: 'none',
  trust: 'trusted',
  reversibility: 'reversible',
  reason: 'it said so',
}

test('an answer never lowers a label below that of the tool name', () => {
  const mail = notMilderThanItsName('send_email', HARMLESS)
  assert.deepEqual([mail.capability, mail.reversibility], ['network', 'irreversible'])
  assert.equal(notMilderThanItsName('get_password', HARMLESS).confidentiality, 'credentials')
  assert.deepEqual(notMilderThanItsName('zorp', HARMLESS), HARMLESS)
  assert.deepEqual(notMilderThanItsName('zorp', sampleAnswer), sampleAnswer)
})

test('shortens the reason to one line', () => {
  const said = parseAnswer({ ...HARMLESS, reason: `\u001b[2Ja\nb\u202ec\ud800${'\u{1f6a2}'.repeat(400)}` })
  assert.match(said?.reason ?? '', /^\[2Ja b c \u{1f6a2}+$/u)
  assert.equal(Array.from(said?.reason ?? '').length, 300)
})

test('the JSON Schema of the answer requires every member and allows no other', () => {
  assert.deepEqual(ANSWER_SCHEMA.required.toSorted(), Object.keys(ANSWER_SCHEMA.properties).sort())
  assert.deepEqual(ANSWER_SCHEMA.required.toSorted(), Object.keys(HARMLESS).sort())
})
