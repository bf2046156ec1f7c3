import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LiveStep } from '@plimsoll/console'
import { type LiveEvent, withConsole } from '../../support/console-world.js'
import { waitUntil } from '../../support/wait-until.js'

/** Numbers of the decided steps, in order, each once. */
const stepsIn = (events: readonly LiveEvent[]): number[] => [
  ...new Set(
    events.flatMap(({ name, data }) => {
      const { step, verdict } = name === 'step' ? (data as LiveStep).step : { step: 0, verdict: undefined }
      return verdict === undefined ? [] : [step]
    }),
  ),
]

test('a page that comes back gets what it missed, and no more', async () => {
  await withConsole('embedded', async ({ connect, logIn }) => {
    const vera = await logIn('vera')
    const session = await (await connect()).startSession()
    const run = async (count: number) => {
      for (let i = 0; i < count; i++)
        await session.complete(await session.propose({ tool: 'read_file', arguments: { path: `${i}.md` } }))
    }
    const first = vera.follow('/api/live', (events) => stepsIn(events).includes(3))
    await run(3)
    const seen = await first
    const lastId = seen.at(-1)?.id
    await run(3)
    const then = await vera.follow('/api/live', (events) => stepsIn(events).includes(6), lastId)
    assert.deepEqual(then[0], {
      id: undefined,
      name: 'hello',
      data: { ...(then[0]?.data as object), isGap: false },
    })
    assert.deepEqual(stepsIn([...seen, ...then]), [1, 2, 3, 4, 5, 6])
    const ids = new Set(seen.map(({ id }) => id))
    assert.deepEqual(
      then.filter(({ id }) => id !== undefined && ids.has(id)),
      [],
    )
    const [strange] = await vera.follow('/api/live', (events) => events.length > 0, 'of-another-run-7')
    assert.deepEqual(strange?.data, { ...(strange?.data as object), isGap: true })
  })
})

test('a page gets no event of a tenant that is hidden from it', async () => {
  await withConsole('embedded', async ({ connect, logIn }) => {
    const [acme, vera] = await Promise.all([logIn('acme'), logIn('vera')])
    const client = await connect()
    const isOver = (events: readonly LiveEvent[]) =>
      events.some(({ name, data }) => name === 'session' && (data as { ended: boolean }).ended)
    const [seen, all] = [acme.follow('/api/live', isOver), vera.follow('/api/live', isOver)]
    for (const id of ['globex~secret', 'acme~own']) {
      const session = await client.startSession({ id })
      await session.complete(await session.propose({ tool: 'read_file' }))
      await session.end('completed')
    }
    assert.ok(JSON.stringify(await all).includes('globex'))
    const text = JSON.stringify(await seen)
    assert.ok(text.includes('acme~own') && !text.includes('globex'))
  })
})

test('one user has 20 streams, over all logins, and others still follow', async () => {
  await withConsole('embedded', async ({ console: { url, readers }, logIn }) => {
    const ending = new AbortController()
    const open = async (cookie: string) =>
      (await fetch(`${url}/api/live`, { headers: { cookie }, signal: ending.signal })).status
    const [first, second, omar] = await Promise.all([logIn('vera'), logIn('vera'), logIn('omar')])
    for (let i = 0; i < 10; i++)
      assert.deepEqual([await open(first.cookie), await open(second.cookie)], [200, 200])
    const refused = await first.get('/api/live')
    assert.deepEqual([refused.status, refused.body.error?.code], [429, 'queue_full'])
    assert.equal(await open(second.cookie), 429)
    assert.equal(await open(omar.cookie), 200)
    ending.abort()
    await waitUntil('the streams to end', async () => readers() === 0)
    assert.equal((await first.follow('/api/live', (events) => events.length > 0)).length, 1)
  })
})
