import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { decisionId } from '@plimsoll/contracts'
import { sampleSession } from './sample-changes.js'
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
  })
}
