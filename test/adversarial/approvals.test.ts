import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer, Session } from '@plimsoll/client'
import { digestOf, type Decision } from '@plimsoll/contracts'
import { approvalOf } from '../support/sessions/approvals.js'
import { withoutPair } from '../support/components/components.js'
import { underAttack, type Fixture } from './world.js'

const MAIL = { to: 'ann@example.com', body: 'the figures' }

/** A session that has read sensitive data and proposes to send. */
async function asking(fixture: Fixture): Promise<{ session: Session; asked: Answer; decision: Decision }> {
  const client = await fixture.connect()
  const session = await client.startSession()
  await session.complete(await session.propose({ tool: 'get_customer' }))
  const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
  assert.equal(asked.verdict, 'confirm')
  assert.ok(asked.decision)
  return { session, asked, decision: asked.decision }
}

const approvalsOf = (fixture: Fixture, session: Session): string[] =>
  fixture.decided(session).flatMap(({ kind, verdict }) => (kind === 'approval' ? [verdict] : []))

describe('attacks through approvals', { skip: withoutPair }, () => {
  const fixture = underAttack()

  test('a replayed approval approves no further step', async () => {
    const { session, asked, decision } = await asking(fixture)
    const approval = approvalOf(decision)
    await fixture.deployment.publish([approval])
    assert.equal((await session.resolution(asked)).mayRun, true)
    await session.complete(asked)
    const again = await session.propose({ tool: 'send_email', arguments: MAIL })
    await fixture.deployment.publish([approval, { ...approval, id: 'another-id' }])
    await fixture.deployment.publish([approvalOf(decision, { id: 'signed-again' })])
    await fixture.refused(session, 2)
    assert.deepEqual([again.verdict, again.mayRun], ['confirm', false])
    assert.equal(approvalsOf(fixture, session).length, 1)
  })

  test('an approval counts only for the arguments that were shown', async () => {
    const { session, asked, decision } = await asking(fixture)
    // The digest of the same arguments, but without the session's key.
    const argumentsDigest = digestOf(MAIL)
    await fixture.deployment.publish([approvalOf(decision, { argumentsDigest })])
    await fixture.refused(session, 1)
    const still = await session.resolution(asked, { timeoutMs: 100 })
    assert.deepEqual([still.verdict, still.mayRun, approvalsOf(fixture, session)], ['confirm', false, []])
  })

  test('an approval signed by an agent approves nothing', async () => {
    const { session, asked, decision } = await asking(fixture)
    await fixture.deployment.publish([
      approvalOf(decision, {}, 'a key that the agent made up'),
      { ...approvalOf(decision), by: 'eve' },
    ])
    assert.deepEqual(await fixture.refused(session, 2), ['signature_invalid', 'signature_invalid'])
    const still = await session.resolution(asked, { timeoutMs: 100 })
    assert.deepEqual([still.verdict, still.mayRun], ['confirm', false])
  })

  test('an approval for one session has no effect in another', async () => {
    const mine = await asking(fixture)
    const other = await asking(fixture)
    await fixture.deployment.publish([approvalOf(mine.decision, { sessionId: other.session.id })])
    await fixture.refused(other.session, 1)
    const still = await other.session.resolution(other.asked, { timeoutMs: 100 })
    assert.deepEqual([still.mayRun, approvalsOf(fixture, other.session)], [false, []])
  })
})
