import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UNREADABLE, type LogFields, type Logger } from '@plimsoll/runtime'
import { createRedisStore } from '@plimsoll/runtime/redis'
import { Redis } from 'ioredis'
import { redis, uniquePrefix } from '../../support/components/components.js'
import { startRedis, withoutOwnRedis } from '../../support/components/own-components.js'
import { waitUntil } from '../../support/wait-until.js'

const write = (id: string, expected: number, body = 'body') => ({
  id,
  expected,
  body,
  outbox: 'outbox',
  ttlMs: 60_000,
})

describe('session store in redis', { skip: redis.skip }, () => {
  test('continues when redis has lost the scripts', async (t) => {
    const store = createRedisStore({ url: redis.url, prefix: uniquePrefix() })
    const admin = new Redis(redis.url)
    t.after(async () => {
      await store.close()
      await admin.quit()
    })
    const ids = Array.from({ length: 100 }, (_, i) => `s${i}`)
    for (let revision = 0; revision < 3; revision++) {
      assert.ok((await store.compareAndSet(ids.map((id) => write(id, revision)))).every(Boolean))
      await admin.script('FLUSH')
      await store.trim(ids.map((id) => ({ id, revision: revision + 1 })))
      assert.deepEqual(await store.load(['s99']), [{ revision: revision + 1, body: 'body', outbox: '' }])
      await admin.script('FLUSH')
    }
  })

  test('keeps one expiring key per session, under a hash tag', async (t) => {
    const prefix = uniquePrefix()
    const store = createRedisStore({ url: redis.url, prefix })
    const admin = new Redis(redis.url)
    t.after(async () => {
      await store.close()
      await admin.quit()
    })
    await store.compareAndSet([write('s:1', 0)])
    await store.trim([{ id: 's:1', revision: 1 }])
    assert.deepEqual(await admin.keys(`${prefix}*`), [`${prefix}:{s:1}`])
    assert.equal(await admin.get(`${prefix}:{s:1}`), '1 4\nbody')
    const ttlMs = await admin.pttl(`${prefix}:{s:1}`)
    assert.ok(ttlMs > 50_000 && ttlMs <= 60_000, String(ttlMs))
  })

  test('keeps due sessions in a sorted set per partition, which does not expire', async (t) => {
    const prefix = uniquePrefix()
    const store = createRedisStore({ url: redis.url, prefix })
    const admin = new Redis(redis.url)
    t.after(async () => {
      await store.close()
      await admin.quit()
    })
    await store.compareAndSet([{ ...write('s:1', 0), due: { partition: 7, approvalMs: 5, idleMs: 9 } }])
    const [approval, idle] = [`${prefix}:{#7}:due:approval`, `${prefix}:{#7}:due:idle`]
    const others = (await admin.keys(`${prefix}*`)).filter((key) => key !== approval && key !== idle)
    const [shard = '', ...rest] = others.toSorted()
    assert.deepEqual(rest, [`${prefix}:{s:1}`])
    assert.match(shard.slice(idle.length), /^:\d{1,3}$/)
    assert.deepEqual(await admin.zrange(approval, '0', '-1', 'WITHSCORES'), ['s:1', '5'])
    assert.deepEqual(await admin.zrange(shard, '0', '-1', 'WITHSCORES'), ['s:1', '9'])
    assert.equal(await admin.pttl(shard), -1)
    await store.compareAndSet([{ ...write('s:1', 1), due: { partition: 7 } }])
    assert.deepEqual((await admin.keys(`${prefix}*`)).sort(), [idle, `${prefix}:{s:1}`])
    assert.deepEqual(await store.due(7, 'idle', 9, 10), [])
    assert.deepEqual(await admin.keys(`${prefix}*`), [`${prefix}:{s:1}`], 'looking clears the index up')
  })

  test('finds the earliest of many due sessions in any distribution', async (t) => {
    const store = createRedisStore({ url: redis.url, prefix: uniquePrefix() })
    t.after(() => store.close())
    const times = new Map<string, number>()
    const transition = async (revision: number, timeOf: (i: number) => number) => {
      const writes = Array.from({ length: 2_000 }, (_, i) => {
        times.set(`s${i}`, timeOf(i))
        return { ...write(`s${i}`, revision), due: { partition: 1, idleMs: timeOf(i) } }
      })
      assert.ok((await store.compareAndSet(writes)).every(Boolean))
    }
    const expected = (untilMs: number, limit: number) =>
      [...times]
        .map(([id, atMs]) => ({ id, atMs }))
        .filter(({ atMs }) => atMs <= untilMs)
        .sort((a, b) => a.atMs - b.atMs || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
    const check = async (untilMs: number, limit: number) =>
      assert.deepEqual(await store.due(1, 'idle', untilMs, limit), expected(untilMs, limit))
    await transition(0, (i) => 10_000 + ((i * 7_919) % 5_000))
    for (const untilMs of [9_999, 10_500, 12_345, 20_000]) await check(untilMs, 300)
    // Later for most, earlier than the last look-up for some.
    await transition(1, (i) => (i % 10 === 0 ? 1_000 + i : 30_000 + i))
    for (const untilMs of [999, 2_000, 29_999, 30_100, 50_000]) await check(untilMs, 300)
    await check(50_000, 5_000)
    assert.deepEqual(await store.dueCounts(1), { approval: 0, obligation: 0, idle: 2_000 })
  })

  test('lists only under its prefix, even with redis pattern characters in it', async (t) => {
    const prefix = `${uniquePrefix()}a*b?[c]\\d`
    const others = [prefix.replace('*', 'xx'), prefix.replace('[c]', 'c'), `x${prefix}`, `${prefix}x`]
    const stores = [prefix, ...others].map((each) => createRedisStore({ url: redis.url, prefix: each }))
    t.after(() => Promise.all(stores.map((store) => store.close())))
    for (const [i, store] of stores.entries()) await store.compareAndSet([write(`s${i}`, 0)])
    const ids: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await stores[0]?.list(cursor, 1_000)
      ids.push(...(page?.ids ?? []))
      cursor = page?.cursor
      if (cursor === undefined) break
    }
    assert.deepEqual([...new Set(ids)], ['s0'])
  })

  test('describes itself to a user who cannot read the settings', async (t) => {
    const admin = new Redis(redis.url)
    const user = uniquePrefix()
    await admin.acl('SETUSER', user, 'on', '>secret', '~*', '+@all', '-config')
    const url = new URL(redis.url)
    url.username = user
    url.password = 'secret'
    const store = createRedisStore({ url: url.href, prefix: user })
    t.after(async () => {
      await store.close()
      await admin.acl('DELUSER', user)
      await admin.quit()
    })
    const info = await store.describe()
    assert.match(info.version, /^(redis|valkey) \d/)
    assert.equal(info.evictionPolicy, 'noeviction')
    assert.equal(info.role, 'primary')
    assert.ok((info.memoryBytes ?? 0) > 100_000)
  })

  test('reports a foreign value, and overwrites it for a caller that expects it', async (t) => {
    const prefix = uniquePrefix()
    const store = createRedisStore({ url: redis.url, prefix })
    const admin = new Redis(redis.url)
    t.after(async () => {
      await store.close()
      await admin.quit()
    })
    for (const foreign of ['', 'text', '1 900\nshort', '0 1\nx', '-1 1\nx', '{"revision":1}']) {
      await admin.set(`${prefix}:{s}`, foreign)
      assert.deepEqual(await store.load(['s']), [UNREADABLE], JSON.stringify(foreign))
      assert.deepEqual(await store.compareAndSet([write('s', 0)]), [false], foreign)
      assert.deepEqual(await store.compareAndSet([write('s', UNREADABLE.revision)]), [true], foreign)
      assert.equal((await store.load(['s']))[0]?.revision, 1)
      assert.deepEqual(await store.compareAndSet([write('s', UNREADABLE.revision)]), [false], foreign)
    }
  })
})

describe('session store without redis', { skip: withoutOwnRedis }, () => {
  test('survives a crash of redis: calls fail while it is away, and stored data is back afterwards', async (t) => {
    const own = await startRedisFor(t)
    const warnings: string[] = []
    const store = createRedisStore({
      url: own.url,
      limits: { answerTimeoutMs: 500 },
      logger: noting(warnings),
    })
    t.after(() => store.close())
    assert.deepEqual(await store.compareAndSet([write('s', 0)]), [true])

    const underWay = Promise.allSettled(Array.from({ length: 20 }, () => store.load(['s'])))
    await own.kill()
    await underWay
    for (let i = 0; i < 3; i++)
      await assert.rejects(store.compareAndSet([write('s', 1)]), { code: 'store_unavailable' })
    await assert.rejects(store.ping(), { code: 'store_unavailable' })

    await own.restart()
    await waitUntil('redis is found again', () => store.ping().then(() => true))
    assert.deepEqual(await store.load(['s']), [{ revision: 1, body: 'body', outbox: 'outbox' }])
    assert.deepEqual(await store.compareAndSet([write('s', 1)]), [true])
    assert.equal(warnings.length, 1, 'one line for one outage')
  })

  test('times out on a missing answer, and works again afterwards', async (t) => {
    const own = await startRedisFor(t)
    const store = createRedisStore({ url: own.url, limits: { answerTimeoutMs: 300 } })
    t.after(() => store.close())
    assert.deepEqual(await store.compareAndSet([write('s', 0)]), [true])
    const admin = new Redis(own.url)
    // Longer than any test: only a limit of the store's own ends a call.
    await admin.client('PAUSE', 3_600_000, 'ALL')
    admin.disconnect()
    await assert.rejects(store.load(['s']), { code: 'store_unavailable' })
    await assert.rejects(store.ping(), { code: 'store_unavailable' })
    await own.kill()
    await own.restart()
    await waitUntil('the store works again', async () => (await store.load(['s']))[0]?.revision === 1)
  })

  test('starts before redis does', async (t) => {
    const own = await startRedisFor(t)
    await own.kill()
    const store = createRedisStore({ url: own.url, limits: { answerTimeoutMs: 200 } })
    t.after(() => store.close())
    await assert.rejects(store.load(['s']), { code: 'store_unavailable' })
    await own.restart()
    await waitUntil('redis is found', () => store.ping().then(() => true))
    assert.deepEqual(await store.compareAndSet([write('s', 0)]), [true])
  })

  test('closes while redis is down', async (t) => {
    const own = await startRedisFor(t)
    await own.kill()
    const store = createRedisStore({ url: own.url })
    const waiting = assert.rejects(store.load(['s']), { code: 'closed' })
    await store.close()
    await waiting
  })
})

async function startRedisFor(t: { after: (release: () => Promise<void>) => void }) {
  const own = await startRedis()
  t.after(() => own.stop())
  return own
}

function noting(warnings: string[]): Logger {
  const ignore = (_message: string, _fields?: LogFields) => {}
  const logger: Logger = {
    debug: ignore,
    info: ignore,
    warn: (message) => warnings.push(message),
    error: (message) => warnings.push(message),
    child: () => logger,
  }
  return logger
}
