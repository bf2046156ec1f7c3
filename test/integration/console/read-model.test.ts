import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { PlimsollClient } from '@plimsoll/client'
import { type Console, type Fleet, type Queue, type SessionPage, openReadStore } from '@plimsoll/console'
import { type Visitor, withConsole } from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'

async function inFolder(t: { after(release: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-console-'))
  t.after(() => rm(folder, { recursive: true }))
  return path.join(folder, 'read-model.sqlite')
}

/** Sessions that were allowed, asked about, answered, blocked and ended. */
async function play(client: PlimsollClient): Promise<void> {
  for (let i = 0; i < 5; i++) {
    const session = await client.startSession({
      id: `acme~run-${i}`,
      agent: `agent-${i % 2}`,
      category: 'research_comms',
    })
    await session.complete(await session.propose({ tool: 'get_customer', arguments: { id: i } }))
    await session.propose({ tool: 'send_email', arguments: { to: `desk-${i}@example.org` } })
    await session.propose({ tool: 'send_email', evidence: 'present' })
    if (i % 2 === 0) await session.end('completed')
  }
}

/** The fleet, once its totals, which may be two seconds old, are those of its sessions. */
async function fleetOf(visitor: Visitor): Promise<Fleet> {
  let fleet: Fleet | undefined
  await waitUntil('totals of these sessions', async () => {
    fleet = (await visitor.get<Fleet>('/api/fleet')).body
    const { sessions, totals } = fleet
    const sum = (of: (session: Fleet['sessions'][number]) => number) =>
      sessions.reduce((total, session) => total + of(session), 0)
    return (
      totals.live === sum(({ ended }) => Number(!ended)) &&
      totals.steps === sum(({ steps }) => steps) &&
      totals.openQuestions === sum(({ openQuestions }) => openQuestions)
    )
  })
  return fleet as Fleet
}

/** All that a console shows. */
async function contentOf(visitor: Visitor) {
  const fleet = await fleetOf(visitor)
  const { body: queue } = await visitor.get<Queue>('/api/queue')
  const pages: SessionPage[] = []
  for (const { id } of fleet.sessions)
    pages.push((await visitor.get<SessionPage>(`/api/sessions/${encodeURIComponent(id)}`)).body)
  return { fleet, groups: queue.groups, pages }
}

async function untilShown(visitor: Visitor, sessions: number, steps: number): Promise<void> {
  await waitUntil(`${sessions} sessions with ${steps} steps`, async () => {
    const { body } = await visitor.get<Fleet>('/api/fleet')
    const ended = body.sessions.filter((each) => each.ended).length
    return body.count === sessions && body.totals.steps === steps && ended === 3
  })
}

test('read again from the log, the read model has the same content; a start goes on where the last one ended', async (t) => {
  const database = await inFolder(t)
  await withConsole(
    'embedded',
    async ({ console, connect, logIn, startConsole }) => {
      const vera = await logIn('vera')
      await play(await connect())
      await untilShown(vera, 5, 15)
      const content = await contentOf(vera)
      assert.ok(content.groups.length > 0 && content.pages.every(({ steps }) => steps.length === 3))
      const inMemory = await startConsole({ database: ':memory:' })
      await inMemory.caughtUp
      assert.deepEqual(await contentOf(await logIn('vera', inMemory)), content)

      await console.close()
      const store = await openReadStore(database)
      const offsets = await store.offsets()
      await store.close()
      assert.ok(offsets.length > 0)
      const shows = async (again: Console, expected: unknown) => {
        await again.caughtUp
        assert.deepEqual(await contentOf(await logIn('vera', again)), expected)
        await again.close()
      }
      await shows(await startConsole({ database }), content)
      await shows(await startConsole({ database, rebuild: true }), content)
    },
    { database },
  )
})

test('a database that is ahead of its topics is read from their beginning', async (t) => {
  const database = await inFolder(t)
  const store = await openReadStore(database)
  await withConsole('embedded', async ({ topics, startConsole, connect, logIn }) => {
    await store.apply(
      [{ kind: 'ended', sessionId: 'of-another-topic', offset: 41, timeMs: 1 }],
      [{ topic: topics.events, partition: 0, next: 1_000_000n }],
    )
    await store.close()
    const again = await startConsole({ database })
    const vera = await logIn('vera', again)
    await play(await connect())
    await untilShown(vera, 5, 15)
    const { body } = await vera.get<Fleet>('/api/fleet')
    assert.ok(body.sessions.every(({ id }) => id.startsWith('acme~')))
  })
})

test('hostile names, tasks and arguments pass as JSON, and change nothing else', async () => {
  const EVIL = `<img src=x onerror=alert(1)>\n\nevent: session\ndata: {"id":"forged"}\n\n'; drop table sessions; --\u2028\u0000`
  await withConsole('embedded', async ({ connect, logIn }) => {
    const vera = await logIn('vera')
    const session = await (
      await connect()
    ).startSession({ id: 'evil', task: EVIL, sendTask: true, category: '<script>alert(1)</script>' })
    const live = vera.follow('/api/live', (events) => events.some(({ name }) => name === 'question'))
    // A tool's name has no spaces and no control characters.
    const tool = `<svg/onload=alert(1)>';drop`
    await session.propose({ tool, arguments: { [EVIL]: EVIL } })
    await session.propose({ tool: 'send_email', arguments: { [EVIL]: EVIL, to: EVIL } })
    const events = await live
    assert.ok(!events.some(({ data }) => (data as { id?: string }).id === 'forged'))
    const { body, headers } = await vera.get<SessionPage>('/api/sessions/evil')
    assert.match(headers.get('content-type') ?? '', /^application\/json/)
    // SQLite would end the text there.
    assert.equal(body.task, EVIL.replace('\0', '\uFFFD'))
    assert.equal(body.steps[0]?.tool, tool)
    assert.equal(body.session.category, '<script>alert(1)</script>')
    const lines = body.questions[0]?.arguments.lines ?? []
    assert.ok(lines.length > 0 && lines.every((line) => !/\p{Cc}/u.test(line)))
    const strange = [EVIL, '..%2f..%2fetc%2fpasswd', 'a'.repeat(2_000), '%', '*']
    for (const id of strange) {
      const path = `/api/sessions/${id === '%' ? id : encodeURIComponent(id)}`
      assert.ok([400, 404, 414].includes((await vera.get(path)).status), id.slice(0, 40))
    }
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'level=bad', 'tenant[]=a&tenant[]=b', 'other=1'])
      assert.equal((await vera.get(`/api/fleet?${query}`)).status, 400, query)
    assert.equal((await vera.get<Fleet>('/api/fleet')).body.count, 1)
  })
})

test('times of the future count as now: what has them does not stay for ever', async () => {
  await withConsole('embedded', async ({ startConsole, connect, logIn }) => {
    const vera = await logIn('vera', await startConsole({ clock: { now: () => 1_000 } }))
    await play(await connect())
    await untilShown(vera, 5, 15)
    const { body } = await vera.get<Fleet>('/api/fleet')
    assert.deepEqual([...new Set(body.sessions.map(({ lastAt }) => lastAt))], [1_000])
  })
})
