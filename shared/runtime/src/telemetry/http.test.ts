import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { deferred } from '../timing.js'
import { createMetrics } from './prometheus.js'
import { isAddressInUse, serveHttp, storeMissing } from './http.js'
import { noMetrics } from './metrics.js'

test('serves metrics and probes, and nothing else', async (t) => {
  let notReady: () => Promise<string | undefined> = async () => undefined
  const metrics = createMetrics({ hasProcessMetrics: false })
  metrics.counter({ name: 'events_total', help: 'Events.' }).inc({}, 3)
  const server = await serveHttp({ port: 0, metrics, notReady: () => notReady() })
  t.after(() => server.close())
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`${server.url}${path}`, { method })
    return [response.status, await response.text()] as const
  }
  assert.match((await get('/metrics'))[1], /^plimsoll_events_total 3$/m)
  assert.deepEqual(await get('/healthz'), [200, 'alive\n'])
  assert.deepEqual(await get('/readyz?verbose'), [200, 'ready\n'])
  notReady = async () => 'no partitions'
  assert.deepEqual(await get('/readyz'), [503, 'not ready: no partitions\n'])
  notReady = () => Promise.reject(new Error('the store is away'))
  assert.deepEqual(await get('/readyz'), [503, 'not ready: the store is away\n'])
  assert.equal((await get('/healthz'))[0], 200)
  assert.equal((await get('/'))[0], 404)
  assert.equal((await get('/metrics', 'POST'))[0], 405)
})

test('says within a second that it is not ready, also where its check or its store hangs', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const hanging = new Promise<never>(() => {})
  for (const [notReady, reason] of [
    [() => hanging, 'no answer of its own within 800 ms'],
    [() => storeMissing({ ping: () => hanging }), 'Redis does not answer within 500 ms'],
    [() => storeMissing({ ping: () => Promise.reject(new Error('gone')) }), 'gone'],
  ] as const) {
    const asked = deferred<void>()
    const check = () => {
      asked.resolve()
      return notReady()
    }
    const server = await serveHttp({ port: 0, metrics: noMetrics, notReady: check })
    t.after(() => server.close())
    const answer = fetch(`${server.url}/readyz`)
    await asked.promise
    for (const ms of [0, 500, 300, 199]) {
      await setImmediate()
      t.mock.timers.tick(ms)
    }
    const response = await answer
    assert.deepEqual([response.status, await response.text()], [503, `not ready: ${reason}\n`])
  }
  assert.equal(await storeMissing({ ping: async () => {} }), undefined)
})

test('a scrape asks for readiness too, so that a metric of it is of now', async (t) => {
  const metrics = createMetrics({ hasProcessMetrics: false })
  const ready = metrics.gauge({ name: 'ready', help: 'Whether it is.' })
  const notReady = () => {
    ready.set({}, 1)
    return Promise.reject(new Error('not ready'))
  }
  const server = await serveHttp({ port: 0, metrics, notReady })
  t.after(() => server.close())
  assert.match(await (await fetch(`${server.url}/metrics`)).text(), /^plimsoll_ready 1$/m)
})

test('distinguishes a taken port from other errors', async (t) => {
  const options = { port: 0, metrics: noMetrics, notReady: () => undefined }
  const first = await serveHttp(options)
  t.after(() => first.close())
  const listen = (host: string, port: number) =>
    serveHttp({ ...options, host, port }).then(
      () => assert.fail('it listens'),
      (error: unknown) => error,
    )
  const taken = await listen('127.0.0.1', first.port)
  assert.ok(isAddressInUse(taken))
  assert.match(String(taken), /the port is taken/)
  assert.ok(!isAddressInUse(await listen('192.0.2.1', 0)))
  assert.ok(!isAddressInUse(new Error('EADDRINUSE')))
})

test('is closed twice without harm, with connections open', async () => {
  const server = await serveHttp({ port: 0, metrics: noMetrics, notReady: () => undefined })
  await fetch(`${server.url}/healthz`, { keepalive: true })
  await Promise.all([server.close(), server.close()])
  await assert.rejects(fetch(`${server.url}/healthz`))
})
