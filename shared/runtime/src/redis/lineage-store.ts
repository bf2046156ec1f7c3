import type { Result } from 'ioredis'
import type { LineageStore } from '../ports/stores.js'
import { type RedisStoreOptions, connect } from './connection.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollReport(lineage: string, ...argv: string[]): Result<number, Context>
  }
}

/**
 * The key is a lineage. The arguments are id and body of the entry, the TTL of the lineage in ms, and the most entries it may have; then id
 * and body of each entry to delete if it is unchanged. Deletions come first and make room for the entry. Answers 0 if there is no room.
 */
const REPORT = `
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
 * A `LineageStore` in Redis 7 or later: a hash for each lineage with a field for each session. Its keys begin with `PREFIX:lineage:`, and it
 * uses no others. Connects in the background and reconnects forever.
 */
export function createRedisLineages(options: RedisStoreOptions): LineageStore {
  const { prefix = 'plimsoll' } = options
  const { redis, ask, close } = connect(options)
  redis.defineCommand('plimsollReport', { numberOfKeys: 1, lua: REPORT })
  const keyOf = (lineage: string) => `${prefix}:lineage:${lineage}`
  return {
    read: async (lineage) => {
      const found = await ask(() => redis.hgetall(keyOf(lineage)))
      return Object.entries(found).map(([id, body]) => ({ id, body }))
    },
    report: async (lineage, { id, body }, { ttlMs, keptMax, instead = [] }) => {
      const bounds = [String(Math.max(1, ttlMs)), String(keptMax)]
      const gone = instead.flatMap((each) => [each.id, each.body])
      return (await ask(() => redis.plimsollReport(keyOf(lineage), id, body, ...bounds, ...gone))) === 1
    },
    ping: async () => void (await ask(() => redis.ping())),
    close,
  }
}
