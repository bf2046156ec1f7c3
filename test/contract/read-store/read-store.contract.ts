import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Change, ReadStore } from '@plimsoll/console'
import { decisionId } from '@plimsoll/contracts'
import { seededRandom } from '@plimsoll/chains'
import { type ReadStoreUnderTest, LIMITS, createIt } from './store-under-test.js'
import { sampleDecision, sampleSession } from './sample-changes.js'

const ALL = { tenants: undefined }
const NOW = 2_000
/** Everything that can be read. */
async function contentOf(store: ReadStore) {
  const { sessions } = await store.sessions(ALL, 100, NOW)
  const of = async (id: string) => ({
    details: await store.details(id),
    steps: await store.steps(id, 100),
    notes: await store.notes(id, 100),
  })
  return {
    sessions,
    pages: await Promise.all(sessions.map(({ id }) => of(id))),
    totals: await store.totals(ALL, NOW),
    facets: await store.facets(undefined, 100),
    open: await store.openQuestions(undefined, 100, NOW),
    appeals: await store.appeals(undefined, 100),
    appealCounts: await store.appealCounts(undefined),
    reasonCounts: await store.reasonCounts(undefined),
    met: await store.met(undefined, 'ask-mail', 100),
  }
}

/** Both lists, each in its order, in a random one of each other. */
function interleaved(a: readonly Change[], b: readonly Change[], random: () => number): readonly Change[] {
  const [left, right] = [[...a], [...b]]
  const result: Change[] = []
  while (left.length + right.length > 0)
    result.push(...(random() * (left.length + right.length) < left.length ? left : right).splice(0, 1))
  return result
}

/** What every adapter of `ReadStore` must do. */
export function readStoreContract({ name, open }: ReadStoreUnderTest): void {
  const it = createIt(open)

  describe(`read store contract: ${name}`, () => {
    it('a new database is empty', async (store) => {
      assert.deepEqual(await store.offsets(), [])
      assert.deepEqual(await store.sessions(ALL, 10, NOW), { sessions: [], count: 0 })
      assert.equal((await store.totals(ALL, NOW)).questionsPer100Sessions, 0)
      assert.deepEqual([await store.details('s'), await store.question('d')], [undefined, undefined])
    })

    it('shows a session as both topics say', async (store) => {
      const { events, decisions } = sampleSession('acme~s1')
      await store.apply([...events, ...decisions], [])
      const [row] = await store.sessionsById(['acme~s1', 'unknown'], NOW)
      assert.deepEqual(
        [row?.tenant, row?.agent, row?.client, row?.startedAt, row?.lastAt, row?.ended, row?.steps],
        ['acme', 'scribe', 'desk', 1_000, 1_007, true, 2],
      )
      assert.deepEqual(row?.verdicts, { allow: 1, warn: 0, confirm: 1, block: 0 })
      assert.deepEqual([row?.probability, row?.lastVerdict, row?.openQuestions], [0.3, 'allow', 0])
      const steps = await store.steps('acme~s1', 10)
      assert.deepEqual(
        steps.map(({ step, verdict, firstVerdict, completed, answer }) => [
          step,
          verdict,
          firstVerdict,
          completed?.outcome,
          answer?.by,
        ]),
        [
          [1, 'allow', undefined, 'ok', undefined],
          [2, 'allow', 'confirm', 'error', 'ines'],
        ],
      )
      const [ran, asked] = steps
      assert.deepEqual([ran?.resolvedAt, ran?.firstRisk], [undefined, undefined])
      assert.deepEqual(
        [asked?.resolvedAt, asked?.probability, asked?.firstRisk?.probability],
        [1_005, 0.3, 0.4],
      )
      assert.deepEqual(
        [(await store.totals(ALL, NOW)).byTool, (await store.totals(ALL, NOW)).byEffect],
        [
          [{ name: 'send_email', steps: 2, asked: 1, blocked: 0 }],
          [{ name: 'send person', steps: 2, asked: 1, blocked: 0 }],
        ],
      )
      const found = await store.question(decisionId('acme~s1', 'e3', 'step'))
      assert.deepEqual([found?.closed?.by.eventId, found?.closed?.by.answer?.by], ['a5', 'ines'])
    })

    it('has the same content whichever topic is read first, and however often', async (store) => {
      const { events, decisions } = sampleSession('s')
      await store.apply([...events, ...decisions], [])
      const expected = await contentOf(store)
      for (let seed = 1; seed <= 20; seed++) {
        const random = seededRandom(seed)
        await store.clear()
        const changes = interleaved(events, decisions, random)
        for (const change of changes) await store.apply([change], [])
        assert.deepEqual(await contentOf(store), expected, `seed ${seed}`)
        await store.apply(changes, [])
        assert.deepEqual(await contentOf(store), expected, `seed ${seed}, twice`)
      }
    })

    it('keeps offsets with the content, or neither', async (store) => {
      const { events, decisions } = sampleSession('s')
      await store.apply(events, [{ topic: 'e', partition: 2, next: 8n }])
      await store.apply(decisions, [
        { topic: 'e', partition: 2, next: 9n },
        { topic: 'd', partition: 0, next: 2n ** 60n },
      ])
      const offsets = await store.offsets()
      assert.deepEqual(
        offsets.toSorted((a, b) => (a.topic < b.topic ? -1 : 1)),
        [
          { topic: 'd', partition: 0, next: 2n ** 60n },
          { topic: 'e', partition: 2, next: 9n },
        ],
      )
      const before = await contentOf(store)
      const broken = { kind: 'note', sessionId: 's', offset: 1, timeMs: 1, id: 'n', type: 'x', text: null }
      await assert.rejects(
        store.apply(
          [...sampleSession('other').events, broken as unknown as Change],
          [{ topic: 'e', partition: 2, next: 99n }],
        ),
        { code: 'store_unavailable' },
      )
      assert.deepEqual([await contentOf(store), await store.offsets()], [before, offsets])
    })

    it('hides what is of other tenants, and filters', async (store) => {
      for (const id of ['acme~1', 'acme~2', 'globex~1']) {
        const { events, decisions } = sampleSession(id)
        await store.apply([...events.slice(0, 4), ...decisions.slice(0, 2)], [])
      }
      const query = { tenants: ['acme'] }
      assert.deepEqual((await store.sessions(query, 1, NOW)).count, 2)
      assert.deepEqual((await store.totals(query, NOW)).openQuestions, 2)
      assert.deepEqual((await store.facets(['acme'], 10)).tenants, ['acme'])
      const { questions, count } = await store.openQuestions(['globex'], 10, NOW)
      assert.deepEqual([questions.map(({ tenant }) => tenant), count], [['globex'], 1])
      for (const [more, expected] of [
        [{ agent: 'scribe' }, 2],
        [{ agent: "x' or 1=1 --" }, 0],
        [{ level: 'critical' }, 2],
        [{ level: 'safe' }, 0],
        [{ category: 'other' }, 0],
      ] as const)
        assert.equal(
          (await store.sessions({ ...query, ...more }, 10, NOW)).count,
          expected,
          JSON.stringify(more),
        )
      assert.equal((await store.sessions({ tenants: [] }, 10, NOW)).count, 0)
    })

    it('puts live sessions with questions first, then by risk', async (store) => {
      const decide = (sessionId: string, over: object, time = 1_000): Change => ({
        kind: 'decided',
        offset: 1,
        timeMs: time,
        decision: sampleDecision({ sessionId, eventId: 'e', callId: 'c', time, ...over }),
      })
      await store.apply(
        [
          decide('low', { probability: 0.1 }),
          decide('high', { probability: 0.9 }),
          decide('asked', { probability: 0.2, verdict: 'confirm' }),
          decide('over', { probability: 0.99 }),
          { kind: 'ended', sessionId: 'over', offset: 2, timeMs: 1_001 },
        ],
        [],
      )
      const ids = (part: { readonly sessions: readonly { readonly id: string }[] }) =>
        part.sessions.map(({ id }) => id)
      assert.deepEqual(ids(await store.sessions(ALL, 10, NOW)), ['asked', 'high', 'low', 'over'])
      // Its time is over.
      assert.deepEqual(ids(await store.sessions(ALL, 10, NOW + 600_000)), ['high', 'asked', 'low', 'over'])
    })

    it('lists the tools that ask and block most first', async (store) => {
      const decide = (tool: string, verdict: 'allow' | 'block', n: number): Change => ({
        kind: 'decided',
        offset: n,
        timeMs: n,
        decision: {
          ...sampleDecision({ sessionId: `s${n}`, eventId: `e${n}`, callId: `c${n}`, verdict, time: n }),
          tool,
        },
      })
      await store.apply([decide('a', 'allow', 1), decide('a', 'allow', 2), decide('b', 'block', 3)], [])
      assert.deepEqual(
        (await store.totals(ALL, NOW)).byTool.map(({ name: tool }) => tool),
        ['b', 'a'],
      )
    })

    it('closes a question when its call is proposed again', async (store) => {
      const ask = (eventId: string, time: number): Change => ({
        kind: 'decided',
        offset: time,
        timeMs: time,
        decision: sampleDecision({ sessionId: 's', eventId, callId: 'c', verdict: 'confirm', time }),
      })
      const first = await store.apply([ask('e1', 1_000)], [])
      const then = await store.apply([ask('e2', 1_001)], [])
      const id = decisionId('s', 'e1', 'step')
      assert.deepEqual([[...first.opened], [...then.closed]], [[id], [id]])
      const { questions } = await store.openQuestions(undefined, 10, NOW)
      assert.deepEqual(
        questions.map(({ decisionId: each }) => each),
        [decisionId('s', 'e2', 'step')],
      )
    })

    it('does not show arguments that nothing proves, if proposals of one step differ', async (store) => {
      const { events, decisions } = sampleSession('s')
      const [started, , , proposal] = events
      const withLines = (eventId: string, offset: number, line: string) =>
        ({
          ...proposal,
          eventId,
          offset,
          arguments: { lines: [line], isWhole: false, isCut: false, problem: 'not proved' },
        }) as Change
      const forged = withLines('forged', 9, 'to: "b@example.org"')
      const unproved = withLines('e3', 3, 'to: "a@example.org"')
      const question = async () => (await store.question(decisionId('s', 'e3', 'step')))?.question.arguments
      await store.apply([started, proposal, forged, decisions[1]] as Change[], [])
      assert.deepEqual((await question())?.lines, ['to: "a@example.org"'])
      await store.clear()
      await store.apply([started, unproved, forged, decisions[1]] as Change[], [])
      assert.deepEqual([(await question())?.lines, (await question())?.isWhole], [[], false])
    })

    it('deletes what is too old, too much, or too long', async (store) => {
      for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) {
        const { events, decisions } = sampleSession(id, 1_000 * (i + 1))
        await store.apply([...events, ...decisions], [])
      }
      const left = async () => (await store.sessions(ALL, 10, NOW)).sessions.map(({ id }) => id).toSorted()
      assert.equal(await store.prune(LIMITS, 5_000), 0)
      assert.equal(await store.prune({ ...LIMITS, ageMaxMs: 3_500 }, 5_000), 1)
      assert.deepEqual(await left(), ['b', 'c', 'd'])
      assert.equal(await store.prune({ ...LIMITS, sessionsMax: 2 }, 5_000), 1)
      assert.deepEqual(await left(), ['c', 'd'])
      await store.prune({ ...LIMITS, stepsOfSessionMax: 1 }, 5_000)
      assert.deepEqual(
        (await store.steps('d', 10)).map(({ step }) => step),
        [2],
      )
      assert.deepEqual(
        [await store.steps('a', 10), await store.question(decisionId('a', 'e3', 'step'))],
        [[], undefined],
      )
    })

    it('deletes sessions of the tenant with the most first, and those that ask last', async (store) => {
      const [, asks] = sampleSession('acme~asks').decisions
      const ended = (sessionId: string, offset: number) =>
        ({ kind: 'ended', sessionId, offset, timeMs: 2_000 + offset }) as const
      const flood = Array.from({ length: 9 }, (_, i) => ended(`evil~${i}`, i))
      await store.apply([asks as Change, ended('acme~quiet', 0), ...flood], [])
      assert.equal(await store.prune({ ...LIMITS, sessionsMax: 4 }, 5_000), 7)
      const { sessions } = await store.sessions(ALL, 10, NOW)
      assert.deepEqual(sessions.map(({ id }) => id).toSorted(), [
        'acme~asks',
        'acme~quiet',
        'evil~7',
        'evil~8',
      ])
      assert.equal(await store.prune({ ...LIMITS, sessionsMax: 1 }, 5_000), 3)
      assert.equal((await store.openQuestions(['acme'], 10, 5_000)).count, 1)
    })

    it('cuts long sessions by what is stored, and deletes what is of no session', async (store) => {
      const { events, decisions } = sampleSession('s')
      const of = (kind: Change['kind']) => events.filter((change) => change.kind === kind)
      const more = Array.from({ length: 30 }, (_, i) =>
        [...of('proposed'), ...of('note')].map((change): Change =>
          Object.assign({}, change, { offset: 10 + i, timeMs: 2_000 + i, eventId: `p${i}`, id: `n${i}` }),
        ),
      ).flat()
      const ghosts = [...of('note'), ...of('answer')].map(
        (change) => ({ ...change, sessionId: 'ghost' }) as Change,
      )
      await store.apply([...events, ...decisions, ...more, ...ghosts], [])
      await store.prune(
        { ...LIMITS, stepsOfSessionMax: 10, notesOfSessionMax: 5, closedOfSessionMax: 0 },
        5_000,
      )
      const asked = decisionId('s', 'e3', 'step')
      assert.deepEqual(
        [(await store.steps('s', 100)).length, (await store.notes('s', 100)).map(({ at }) => at)],
        [10, [2_025, 2_026, 2_027, 2_028, 2_029]],
      )
      assert.deepEqual([await store.question(asked), await store.notes('ghost', 10)], [undefined, []])
    })

    test('answers nothing once it is closed', async () => {
      const store = await open()
      await store.ping()
      await store.close()
      await store.close()
      await assert.rejects(store.ping(), { code: 'closed' })
    })
  })
}
