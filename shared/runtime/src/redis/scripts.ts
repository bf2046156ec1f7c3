import type { Redis, Result } from 'ioredis'
import { HEAD_BYTES_MAX } from './record.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollSet(key: string, expected: string, value: string, ttlMs: string): Result<number, Context>
    plimsollTrim(key: string, revision: string): Result<number, Context>
  }
}

/** Stores the value if the revision that stands is the expected one, `0` where none does. Answers 1 or 0. */
const SET = `
local head = redis.call('GETRANGE', KEYS[1], 0, ${HEAD_BYTES_MAX - 1})
if (string.match(head, '^%d+') or '0') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`

/** Cuts the value behind its body if the revision is the given one; the expiry stays. Answers 1 where something was cut. */
const TRIM = `
local head = redis.call('GETRANGE', KEYS[1], 0, ${HEAD_BYTES_MAX - 1})
local revision, length, start = string.match(head, '^(%d+) (%d+)\\n()')
if revision ~= ARGV[1] then return 0 end
local size = start - 1 + tonumber(length)
if redis.call('STRLEN', KEYS[1]) <= size then return 0 end
redis.call('SET', KEYS[1], redis.call('GETRANGE', KEYS[1], 0, size - 1), 'KEEPTTL')
return 1`

/** Each script is sent whole once a connection and by its hash from then on; ioredis sends it again where Redis has forgotten it. */
export function defineScripts(redis: Redis): void {
  redis.defineCommand('plimsollSet', { numberOfKeys: 1, lua: SET })
  redis.defineCommand('plimsollTrim', { numberOfKeys: 1, lua: TRIM })
}
