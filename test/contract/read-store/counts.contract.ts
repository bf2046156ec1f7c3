import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { decisionId } from '@plimsoll/contracts'
import { sampleDecision, sampleSession } from './sample-changes.js'
import { type ReadStoreUnderTest, LIMITS, createIt } from './store-under-test.js'

/** What every adapter of `ReadStore` must count over many sessions. */
export function readStoreCountsContract({ name, open }: ReadStoreUnderTest): void {
  const it = createIt(open)

  describe(`read store contract, counts: ${name}`, () => {
    it('counts the last appeal of each decision, by reason and tool, beside what asked and blocked', async (store) => {
      for (const id of ['acme~1', 'acme~2', 'globex~1']) {
        const { events, decisions } = sampleSession(id)
        await store.apply([...events, ...decisions], [])
      }
      const appeal = sampleSession('acme~1').events.find(({ kind }) => kind === 'appealed')
      const later = { id: 'a9', offset: 9, timeMs: 1_009, expected: 'block', reason: undefined }
      await store.apply([Object.assign({}, appeal, later)], [])
      const counted = { asked: 2, blocked: 0, sessions: 2, needless: 1, harmful: 1 }
      assert.deepEqual(await store.appealCounts(['acme']), {
        byReason: [{ name: 'confirmation:ask-mail', ...counted }],
        byTool: [{ name: 'send_email', ...counted }],
      })
      const { appeals, count } = await store.appeals(['acme'], 10)
      assert.deepEqual(
        [
          count,
          appeals.map(({ sessionId, expected, counts, agent }) => [sessionId, expected, counts, agent]),
        ],
        [
          3,
          [
            ['acme~1', 'block', true, 'scribe'],
            ['acme~1', 'allow', false, 'scribe'],
            ['acme~2', 'allow', true, 'scribe'],
          ],
        ],
      )
      const [, step] = await store.steps('acme~1', 10)
      assert.deepEqual(step?.appeal, { expected: 'block', by: 'ines', at: 1_009 })
      const asked = decisionId('acme~1', 'e3', 'step')
      assert.deepEqual(
        [await store.decisionOffset(asked), await store.decisionOffset('acme~1#none#step')],
        [1, undefined],
      )
      await store.prune({ ...LIMITS, notesOfSessionMax: 1, stepsOfSessionMax: 1 }, 5_000)
      assert.equal((await store.appeals(undefined, 10)).count, 3)
      await store.prune({ ...LIMITS, sessionsMax: 0 }, 5_000)
      assert.deepEqual(await store.appealCounts(undefined), { byReason: [], byTool: [] })
    })

    it('counts what mattered, by reason and by policy, and finds its steps', async (store) => {
      for (const id of ['acme~1', 'acme~2', 'globex~1']) {
        const { events, decisions } = sampleSession(id)
        await store.apply([...decisions, ...events, ...decisions], [])
      }
      const lifting = sampleDecision({
        sessionId: 'acme~3',
        eventId: 'e',
        callId: 'c',
        verdict: 'confirm',
        time: 2_000,
      })
      const reasons = lifting.reasons.map((reason) => ({ ...reason, liftedBy: 'own-mail' }))
      const lifted = { ...lifting, verdict: 'allow', reasons } as const
      await store.apply([{ kind: 'decided', offset: 1, timeMs: 2_000, decision: lifted }], [])
      const none = { asked: 0, blocked: 0, warned: 0, lifted: 0 }
      assert.deepEqual(await store.reasonCounts(['acme']), [
        { source: 'confirmation', code: 'ask-mail', ...none, asked: 2, sessions: 2 },
        { source: 'allowlist', code: 'own-mail', ...none, lifted: 1, sessions: 1 },
      ])
      assert.deepEqual(await store.policyUses(['acme']), [
        { tenant: 'acme', version: 'p', live: 1, sessions: 3, lastAt: 2_000 },
      ])
      const { steps, count } = await store.met(['acme'], 'ask-mail', 1)
      assert.deepEqual(
        [
          count,
          steps.map(({ sessionId, eventId, step, tool, verdict }) => [
            sessionId,
            eventId,
            step,
            tool,
            verdict,
          ]),
        ],
        [2, [['acme~1', 'e3', 2, 'send_email', 'confirm']]],
      )
      assert.equal((await store.met(['globex'], 'own-mail', 10)).count, 0)
      await store.prune({ ...LIMITS, stepsOfSessionMax: 1 }, 5_000)
      assert.equal((await store.met(undefined, 'ask-mail', 10)).count, 3)
      await store.prune({ ...LIMITS, sessionsMax: 1 }, 5_000)
      assert.deepEqual((await store.reasonCounts(undefined)).length, 1)
    })
  })
}
