import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from '@plimsoll/client'
import { createOpenApprovals } from './open-approvals.js'

const SEEN = { amount: 12, to: 'ann@example.com' }
const OTHER = { amount: 9_000, to: 'eve@example.com' }

test('a human sees the arguments that were judged, and no others of the same step', async (t) => {
  const guard = await createGuard()
  t.after(() => guard.close())
  const session = await guard.startSession()
  const { decision } = await session.ask({ tool: 'refund_everyone', arguments: SEEN })
  assert.ok(decision?.verdict === 'confirm')
  const { sessionId, eventId, argumentsDigest, tenant } = decision
  const record = { key: sessionId, value: Buffer.from(JSON.stringify(decision)) }
  const linesAfter = (note: (queue: ReturnType<typeof createOpenApprovals>) => void) => {
    const queue = createOpenApprovals({ publish: undefined, now: () => decision.time })
    note(queue)
    queue.receive(record)
    return queue.list(tenant)[0]?.lines.join('\n')
  }
  const judged = { sessionId, eventId, argumentsDigest }
  const forged = { ...judged, argumentsDigest: '0'.repeat(64) }
  assert.equal(
    linesAfter(() => {}),
    '',
  )
  assert.equal(
    linesAfter((queue) => queue.proposed(forged, OTHER)),
    '',
  )
  const shown = linesAfter((queue) => {
    queue.proposed(judged, SEEN)
    queue.proposed(forged, OTHER)
  })
  assert.match(shown ?? '', /ann@example\.com/)
  assert.doesNotMatch(shown ?? '', /eve@example\.com/)
})
