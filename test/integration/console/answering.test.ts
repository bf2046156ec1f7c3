import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answered, Fleet, Queue, SessionPage } from '@plimsoll/console'
import { type Visitor, withConsole } from '../../support/console-world.js'
import { DEPLOYMENTS } from '../../support/sessions/deployment.js'
import { waitUntil } from '../../support/wait-until.js'

const MAIL = { to: 'desk@example.org', body: 'the figures of the quarter' }

/** The queue, once it has `count` questions. */
async function queueOf(visitor: Visitor, count: number): Promise<Queue> {
  let queue: Queue | undefined
  await waitUntil(`${count} questions`, async () => {
    queue = (await visitor.get<Queue>('/api/queue')).body
    return queue.count === count
  })
  return queue as Queue
}

const pathOf = (decisionId = '') => `/api/approvals/${encodeURIComponent(decisionId)}`

for (const [kind, skip] of DEPLOYMENTS)
  describe(`answering on the console, ${kind}`, { skip }, () => {
    test('the riskiest session is first; its question is answered, and the agent goes on', async () => {
      await withConsole(kind, async ({ connect, logIn, prefix }) => {
        const client = await connect()
        const calm = await client.startSession({ id: `${prefix}calm`, category: 'research_comms' })
        await calm.complete(await calm.propose({ tool: 'read_file', arguments: { path: 'notes.md' } }))
        const session = await client.startSession({
          id: `${prefix}risky`,
          agent: 'scribe',
          category: 'research_comms',
          task: 'Collect the figures.',
          sendTask: true,
        })
        await session.complete(await session.propose({ tool: 'get_customer', arguments: { id: 7 } }))
        const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
        assert.equal(asked.verdict, 'confirm')

        const omar = await logIn('omar')
        const { groups, mayAnswer } = await queueOf(omar, 1)
        assert.deepEqual(mayAnswer, ['*'])
        const question = groups[0]?.questions[0]
        assert.equal(question?.decisionId, asked.decision?.id)
        assert.deepEqual([question?.agent, question?.tool], ['scribe', 'send_email'])
        assert.deepEqual(
          [question?.arguments.isWhole, question?.arguments.lines.toSorted()],
          [true, ['body: "the figures of the quarter"', 'to: "desk@example.org"']],
        )

        const { body: fleet } = await omar.get<Fleet>('/api/fleet')
        assert.deepEqual(
          fleet.sessions.map(({ id, openQuestions }) => [id, openQuestions]),
          [
            [`${prefix}risky`, 1],
            [`${prefix}calm`, 0],
          ],
        )
        assert.deepEqual([fleet.totals.openQuestions, fleet.totals.questionsPer100Sessions], [1, 50])

        const resolution = session.resolution(asked, { timeoutMs: 60_000 })
        const { status, body } = await omar.post<Answered>(pathOf(question?.decisionId), {
          resolution: 'approved',
        })
        assert.deepEqual([status, body.verdict, body.answer.by], [200, 'allow', 'omar'])
        const resolved = await resolution
        assert.deepEqual([resolved.verdict, resolved.mayRun], ['allow', true])
        await session.complete(resolved)
        await session.end('completed')

        const readPage = () => omar.get<SessionPage>(`/api/sessions/${prefix}risky`)
        await waitUntil('the end of the session', async () => (await readPage()).body.session.ended)
        const { body: page } = await readPage()
        assert.equal(page.task, 'Collect the figures.')
        assert.deepEqual(
          page.steps.map(({ step, tool, firstVerdict, verdict, completed, answer }) => [
            step,
            tool,
            firstVerdict,
            verdict,
            completed?.outcome,
            answer?.by,
          ]),
          [
            [1, 'get_customer', undefined, 'allow', 'ok', undefined],
            [2, 'send_email', 'confirm', 'allow', 'ok', 'omar'],
          ],
        )
        assert.ok(page.steps[1]?.reasons.some(({ verdict, message }) => verdict === 'confirm' && message))
        assert.deepEqual(page.questions, [])
      })
    })

    test('of two approvers at two consoles one wins, and the other gets their name', async () => {
      await withConsole(kind, async ({ connect, logIn, startConsole }) => {
        const session = await (await connect()).startSession({ category: 'research_comms' })
        const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
        const other = await startConsole()
        const [omar, ines] = await Promise.all([logIn('omar'), logIn('ines', other)])
        await Promise.all([queueOf(omar, 1), queueOf(ines, 1)])
        const path = pathOf(asked.decision?.id)
        const replies = await Promise.all([
          omar.post<Answered>(path, { resolution: 'approved' }),
          ines.post<Answered>(path, { resolution: 'denied', reason: 'the wrong recipient' }),
        ])
        assert.deepEqual(
          replies.map(({ status }) => status).toSorted((a, b) => a - b),
          [200, 409],
        )
        const won = replies.find(({ status }) => status === 200)?.body.answer
        const lost = replies.find(({ status }) => status === 409)?.body
        assert.deepEqual(
          [lost?.error?.code, lost?.error?.answered?.by, lost?.error?.answered?.resolution],
          ['approval_unknown', won?.by, won?.resolution],
        )
        const late = await omar.post(path, { resolution: 'approved' })
        assert.deepEqual([late.status, late.body.error?.answered?.by], [409, won?.by])
      })
    })

    test('a denial needs a reason, which the agent gets; a scope must be permitted', async () => {
      await withConsole(kind, async ({ connect, logIn }) => {
        const session = await (await connect()).startSession({ category: 'research_comms' })
        const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
        const omar = await logIn('omar')
        const { groups } = await queueOf(omar, 1)
        const path = pathOf(asked.decision?.id)
        const bad = [
          { resolution: 'denied' },
          { resolution: 'denied', reason: ' ' },
          { resolution: 'approved', scope: 'always' },
          { resolution: 'approved', by: 'somebody else' },
          ...(groups[0]?.questions[0]?.scopes.includes('session')
            ? []
            : [{ resolution: 'approved', scope: 'session' }]),
        ]
        for (const body of bad) assert.equal((await omar.post(path, body)).status, 400, JSON.stringify(body))
        const resolution = session.resolution(asked, { timeoutMs: 60_000 })
        await omar.post(path, { resolution: 'denied', reason: 'the wrong recipient' })
        const resolved = await resolution
        assert.equal(resolved.mayRun, false)
        assert.match(
          resolved.decision?.reasons[0]?.message ?? '',
          /`omar` denied the step: the wrong recipient/,
        )
      })
    })
  })

test('a step whose arguments are not all shown is approved only unseen', async () => {
  await withConsole('embedded', async ({ log, topics, logIn }) => {
    const { createClient } = await import('@plimsoll/client')
    const client = await createClient({ log, topics })
    const session = await client.startSession({ category: 'research_comms' })
    const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
    const omar = await logIn('omar')
    await queueOf(omar, 1)
    const path = pathOf(asked.decision?.id)
    const refused = await omar.post(path, { resolution: 'approved' })
    assert.deepEqual([refused.status, refused.body.error?.code], [403, 'arguments_unseen'])
    assert.equal((await omar.post(path, { resolution: 'approved', unseen: true })).status, 200)
    await client.close()
  })
})

test('a console without a signing key shows questions and answers none', async () => {
  await withConsole(
    'embedded',
    async ({ connect, logIn }) => {
      const session = await (await connect()).startSession({ category: 'research_comms' })
      const asked = await session.propose({ tool: 'send_email', arguments: MAIL })
      const omar = await logIn('omar')
      await queueOf(omar, 1)
      const refused = await omar.post(pathOf(asked.decision?.id), { resolution: 'approved' })
      assert.deepEqual([refused.status, refused.body.error?.code], [403, 'forbidden'])
    },
    { signingKey: undefined },
  )
})
