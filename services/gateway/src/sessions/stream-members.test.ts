import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Inherits } from '@plimsoll/contracts'
import { createPendingInheritance } from './stream-members.js'

const SECRET: Inherits = { confidentiality: 'credentials' }
const decided = (eventId: string) => ({ eventId, kind: 'step' as const })

describe('pending inheritance', () => {
  test('is added to proposals until a proposal that carried it is decided', () => {
    const owed = createPendingInheritance(SECRET)
    owed.sent('a')
    assert.equal(owed.all(), SECRET)
    for (const kind of ['refusal', 'repeat', 'alert'] as const) owed.decided({ eventId: 'a', kind })
    assert.equal(owed.all(), SECRET)
    owed.sent('b')
    owed.decided(decided('b'))
    assert.equal(owed.all(), undefined)
  })

  test('a proposal does not carry later state', () => {
    const owed = createPendingInheritance(undefined)
    owed.sent('a')
    owed.add(SECRET)
    owed.decided(decided('a'))
    assert.equal(owed.all()?.confidentiality, 'credentials')
  })

  test('a decision on a duplicate id clears nothing', () => {
    const owed = createPendingInheritance(undefined)
    owed.sent('a')
    owed.add(SECRET)
    owed.sent('a')
    owed.decided(decided('a'))
    assert.equal(owed.all()?.confidentiality, 'credentials')
  })

  test('a decision beyond the distinguished proposals clears nothing', () => {
    const owed = createPendingInheritance(undefined)
    for (let i = 0; i < 1_000; i++) owed.sent(`open-${i}`)
    owed.add(SECRET)
    for (let i = 0; i < 1_000; i++) owed.decided(decided(`open-${i}`))
    owed.sent('open-999')
    owed.decided(decided('open-999'))
    assert.equal(owed.all()?.confidentiality, 'credentials')
  })
})
