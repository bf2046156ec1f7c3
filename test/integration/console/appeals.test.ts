import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Appealed, Appeals, SessionPage } from '@plimsoll/console'
import { readAppeals } from '@plimsoll/operations'
import { type ConsoleDeployment, type Visitor, withConsole } from '../../support/console-world.js'
import { DEPLOYMENTS, SIGNING_KEY } from '../../support/sessions/deployment.js'
import { waitUntil } from '../../support/wait-until.js'

const addressOf = (decisionId: string) => `/api/appeals/${encodeURIComponent(decisionId)}`
const appealsOf = async (visitor: Visitor) => (await visitor.get<Appeals>('/api/appeals')).body

/** The decision of a step that was asked about, once the read model has it. */
async function askedIn({ connect, logIn }: ConsoleDeployment, id: string): Promise<string> {
  const session = await (await connect()).startSession({ id, agent: 'scribe' })
  const asked = await session.propose({ tool: 'send_email', arguments: { to: 'a@example.org' } })
  assert.equal(asked.verdict, 'confirm')
  const vera = await logIn('vera')
  await waitUntil('the step', async () => {
    const { body } = await vera.get<SessionPage>(`/api/sessions/${encodeURIComponent(id)}`)
    return body.steps?.some(({ decisionId }) => decisionId === asked.decision?.id) ?? false
  })
  return asked.decision?.id ?? ''
}

for (const [kind, skip] of DEPLOYMENTS)
  describe(kind, { skip }, () => {
    test('an approver appeals a decision: a signed event as that of the command line, and counted', async () => {
      await withConsole(kind, async (fixture) => {
        const decisionId = await askedIn(fixture, 'acme~run-1')
        const [omar, acme] = [await fixture.logIn('omar'), await fixture.logIn('acme')]
        const given = { reason: 'it was asked for' }
        const { status, body } = await omar.post<Appealed>(addressOf(decisionId), given)
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual(
          [body.appeal.expected, body.appeal.by, body.appeal.reason],
          ['allow', 'omar', 'it was asked for'],
        )
        await waitUntil('the appeal', async () => (await appealsOf(omar)).count === 1)
        const later = await acme.post(addressOf(decisionId), { expected: 'block' })
        assert.equal(later.status, 200)
        await waitUntil('the counts', async () => {
          const { byReason, byTool } = await appealsOf(omar)
          const counts = [...byReason.filter(({ needless, harmful }) => needless + harmful > 0), ...byTool]
          return counts.length > 1 && counts.every(({ needless, harmful }) => needless === 0 && harmful === 1)
        })
        const { appeals, byTool } = await appealsOf(acme)
        assert.deepEqual(
          appeals.map(({ by, expected, counts, tool, tenant }) => [by, expected, counts, tool, tenant]),
          [
            ['acme', 'block', true, 'send_email', 'acme'],
            ['omar', 'allow', false, 'send_email', 'acme'],
          ],
        )
        assert.deepEqual(
          byTool.map(({ name, asked, harmful }) => [name, asked, harmful]),
          [['send_email', 1, 1]],
        )
        const { body: page } = await omar.get<SessionPage>('/api/sessions/acme~run-1')
        const step = page.steps.find((each) => each.decisionId === decisionId)
        assert.deepEqual(
          [step?.appeal?.by, step?.appeal?.expected, step?.verdict],
          ['acme', 'block', 'confirm'],
        )

        // `plimsoll observed` counts them too.
        const { log, topics } = fixture
        const found: string[] = []
        await readAppeals({ log, topics, signingKey: SIGNING_KEY }, ({ by }) => found.push(by))
        assert.deepEqual(found, ['omar', 'acme'])
      })
    })
  })

test('who may not appeal is refused, and what is no decision of a step is unknown', async () => {
  await withConsole('embedded', async (fixture) => {
    const hidden = await askedIn(fixture, 'globex~run-1')
    const { logIn } = fixture
    const [vera, acme, mixed, omar] = await Promise.all(
      (['vera', 'acme', 'mixed', 'omar'] as const).map((name) => logIn(name)),
    )
    for (const [visitor, id, body, status] of [
      [vera, hidden, {}, 403],
      [acme, hidden, {}, 404],
      [omar, `${hidden}x`, {}, 404],
      [omar, 'globex~run-1#none#step', {}, 404],
      [omar, 'no decision', {}, 404],
      [omar, hidden, { expected: 'warn' }, 400],
      [omar, hidden, { reason: 'a\nb' }, 400],
      [omar, hidden, { by: 'vera' }, 400],
    ] as const)
      assert.equal(
        (await visitor?.post(addressOf(id), body))?.status,
        status,
        `${id} ${JSON.stringify(body)}`,
      )
    assert.equal((await mixed?.post(addressOf(hidden), {}))?.status, 200)
    await waitUntil('the appeal', async () => omar !== undefined && (await appealsOf(omar)).count === 1)
    assert.ok(acme)
    assert.deepEqual(await appealsOf(acme), { appeals: [], count: 0, byReason: [], byTool: [] })
  })
})
