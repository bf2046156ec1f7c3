import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApprovalPlace } from '../../approval-places.js'
import type { Context } from '../../command.js'
import { answerAt } from './approvals.js'

const REQUEST = {
  decisionId: 's#e#step',
  tool: 'refund',
  lines: ['an agent wants to call refund'],
  scopes: ['once'],
  expiresAt: 9_000,
} as const

for (const [resolution, isSeen, mayBeUnseen, isAnswered] of [
  ['approved', true, false, true],
  ['approved', undefined, false, true],
  ['approved', false, false, false],
  ['approved', false, true, true],
  ['denied', false, false, true],
] as const)
  test(`${resolution}, arguments seen: ${isSeen}, --unseen: ${mayBeUnseen}`, async () => {
    const answered: string[] = []
    const place: ApprovalPlace = {
      name: 'here',
      list: async () => [],
      answer: async (_, given) => void answered.push(given.resolution),
    }
    const output = { write: () => {}, isTerminal: false }
    const context = { stdout: output, stderr: output, env: {} } as unknown as Context
    const request = { ...REQUEST, ...(isSeen !== undefined && { isSeen }) }
    const answering = answerAt(
      { place, request },
      { resolution, by: 'ines' },
      { isSure: true, mayBeUnseen },
      context,
    )
    if (isAnswered) assert.equal(await answering, 0)
    else await assert.rejects(answering, { code: 'arguments_unseen' })
    assert.deepEqual(answered, isAnswered ? [resolution] : [])
  })
