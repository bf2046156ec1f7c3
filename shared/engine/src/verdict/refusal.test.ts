import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decisionSchema } from '@plimsoll/contracts'
import { eventOf } from '../testing.js'
import { refusalOf } from './refusal.js'

test('a refusal needs no session and is a valid decision', () => {
  const proposal = eventOf('step.proposed', 3)
  const decision = refusalOf(proposal, { code: 'event_oversize', message: 'too long' }, 5)
  decisionSchema.parse(decision)
  assert.equal(decision.id, 's#e3#refusal')
  assert.deepEqual(
    decision.reasons.map(({ code }) => code),
    ['event_oversize'],
  )
})
