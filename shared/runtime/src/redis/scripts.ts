import type { Redis, Result } from 'ioredis'
import { HEAD_BYTES_MAX } from './record.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollSet(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
    plimsollTrim(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
  }
}

/** Arguments of `SET` for each key. */
export const SET_ARGUMENTS = 3

/**
 * For each key with its arguments expected revision (`0`: there is none), value, life in ms: stores the value if the revision that
 * stands is the expected one. Answers 1 or 0 for each.
 */
const SET = `
local done = {}
for i, key in ipairs(KEYS) do
  local at = ${SET_ARGUMENTS} * (i - 1)
  local head = redis.call('GETRANGE', key, 0, ${HEAD_BYTES_MAX - 1})
  if (string.match(head, '^%d+') or '0') == ARGV[at + 1] then
    redis.call('SET', key, ARGV[at + 2], 'PX', ARGV[at + 3])
    done[i] = 1
  else
    done[i] = 0
  end
end
return done`

/**
 * For each key with its argument, a revision: cuts the value behind its body if that is the revision that stands. The expiry stays.
 */
const TRIM = `
for i, key in ipairs(KEYS) do
  local head = redis.call('GETRANGE', key, 0, ${HEAD_BYTES_MAX - 1})
  local revision, length, start = string.match(head, '^(%d+) (%d+)\\n()')
  if revision == ARGV[i] then
    local size = start - 1 + tonumber(length)
    if redis.call('STRLEN', key) > size then
      redis.call('SET', key, redis.call('GETRANGE', key, 0, size - 1), 'KEEPTTL')
    end
  end
end
return {}`

/** Each script is sent whole once a connection and by its hash from then on; ioredis sends it again where Redis has forgotten it. */
export function defineScripts(redis: Redis): void {
  redis.defineCommand('plimsollSet', { lua: SET })
  redis.defineCommand('plimsollTrim', { lua: TRIM })
}
