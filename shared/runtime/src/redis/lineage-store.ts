import { PlimsollError } from '@plimsoll/contracts'
import type { Redis, Result } from 'ioredis'
import type { LineageStore } from '../ports/stores.js'
import { noMetrics } from '../telemetry/http.js'
import { silentLogger } from '../telemetry/logger.js'
import { connect } from './connection.js'
import { type RedisStoreOptions, REDIS_LIMITS, unavailable } from './session-store.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollTell(lineage: string, ...argv: string[]): Result<number, Context>
  }
}

/**
 * The key is a lineage. The arguments are the id and body of what is told, the life of the lineage in ms, and how many entries it may have; then id and body of
 * each entry that goes where it still stands so. What is taken away makes room for what is told: nothing is lost where it answers 0.
 */
const TELL = `
local lineage = KEYS[1]
for i = 5, #ARGV, 2 do
  if ARGV[i] ~= ARGV[1] and redis.call('HGET', lineage, ARGV[i]) == ARGV[i + 1] then
    redis.call('HDEL', lineage, ARGV[i])
  end
end
if redis.call('HEXISTS', lineage, ARGV[1]) == 0 and redis.call('HLEN', lineage) >= tonumber(ARGV[4]) then
  return 0
end
redis.call('HSET', lineage, ARGV[1], ARGV[2])
redis.call('PEXPIRE', lineage, ARGV[3])
return 1`

/**
 * A `LineageStore` in Redis 7 or later: a hash for each lineage, which has a field for each session. Its keys begin with `PREFIX:lineage:`, and it needs
 * no others. Connects in the background and comes back by itself, for ever.
 */
export function createRedisLineages(options: RedisStoreOptions): LineageStore {
  const { url, prefix = 'plimsoll', logger = silentLogger, metrics = noMetrics } = options
  const outages = metrics.counter({
    name: 'lineage_store_outages_total',
    help: 'Times the store of lineages could not be reached.',
  })
  const connection = connect(url, { ...REDIS_LIMITS, ...options.limits }, logger, () => outages.inc({}))
  connection.redis.defineCommand('plimsollTell', { numberOfKeys: 1, lua: TELL })
  const keyOf = (lineage: string) => `${prefix}:lineage:${lineage}`
  let closed: Promise<void> | undefined

  async function ask<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (closed) throw new PlimsollError('closed', 'the store has been closed')
    await connection.whenReady()
    try {
      return await command(connection.redis)
    } catch (error) {
      throw unavailable(error instanceof Error ? error : new Error(String(error)))
    }
  }

  return {
    read: async (lineage) => {
      const found = await ask((redis) => redis.hgetall(keyOf(lineage)))
      return Object.entries(found).map(([id, body]) => ({ id, body }))
    },
    report: async (lineage, { id, body }, { ttlMs, keptMax, instead = [] }) => {
      const bounds = [String(Math.max(1, ttlMs)), String(keptMax)]
      const gone = instead.flatMap((each) => [each.id, each.body])
      return (await ask((redis) => redis.plimsollTell(keyOf(lineage), id, body, ...bounds, ...gone))) === 1
    },
    ping: async () => {
      await ask((redis) => redis.ping())
    },
    close: () => (closed ??= connection.close()),
  }
}
