import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { Redis } from 'ioredis'
import { startRedis, withoutOwnRedis } from './support/components/own-components.js'
import { obtainPair } from './support/components/pair.js'
import { localRedisMissing } from './support/redis/local.js'
import { redisAnswers } from './support/redis/probe.js'
import { waitUntil } from './support/wait-until.js'

const connectRedis = (t: TestContext, url: string) => {
  const redis = new Redis(url)
  redis.on('error', () => undefined)
  t.after(() => redis.disconnect())
  return redis
}

test('acknowledged Redis writes survive a kill', { skip: withoutOwnRedis }, async (t) => {
  const server = await startRedis()
  t.after(() => server.stop())
  const redis = connectRedis(t, server.url)
  for (let number = 0; number < 200; number++) await redis.set(`key-${number}`, number)
  await server.kill()
  await server.restart()
  assert.equal(await redis.dbsize(), 200)
})

const withoutLocalRedis = (await localRedisMissing()) ?? false

test('a component ends with its owner, even on SIGKILL', { skip: withoutLocalRedis }, async () => {
  const script = `
    import { startLocalRedis } from ${JSON.stringify(new URL('./support/redis/local.js', import.meta.url).href)}
    console.log((await startLocalRedis()).url)
    setInterval(() => undefined, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(owner.stdout.setEncoding('utf8'), 'data')
  const url = String(printed).trim()
  assert.ok(await redisAnswers(url))
  owner.kill('SIGKILL')
  await waitUntil('end of the orphan', async () => !(await redisAnswers(url)), { timeoutMs: 5_000 })
})

test('an unreachable address in the environment is an error that names it', async () => {
  const environment = { KAFKA_BROKERS: '127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' }
  await assert.rejects(obtainPair(environment, 100), /KAFKA_BROKERS `127\.0\.0\.1:1`/)
})
