import type { Redis, Result } from 'ioredis'
import type { RecordWrite } from '../session-store.js'
import type { Keys } from './keys.js'
import { encodeRecord, HEAD_BYTES_MAX } from './record.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollSet(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
    plimsollDropDue(keyCount: number, ...keysThenArguments: string[]): Result<number, Context>
    plimsollTrim(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
  }
}

/** Arguments of `SET` before those of the records, and for each of them. */
const SET_COMMON = 2
const SET_ARGUMENTS = 6

/**
 * The keys are those of the records, then the sets that they are due in. The arguments are how many records there are and how many bytes
 * of a key stand before the id; then for each record expected revision (`0`: there is none), value, life in ms, which of the
 * keys are its sets (`0`: they are left alone; else the set for approvals, and the next is the one for idleness), and the two times
 * (empty: no entry). Stores the value and the times if the revision that stands is the expected one. Answers 1 or 0 for each.
 */
const SET = `
local done = {}
local idStart = tonumber(ARGV[2]) + 1
local function enter(set, id, time)
  if time == '' then
    redis.call('ZREM', set, id)
  else
    redis.call('ZADD', set, time, id)
  end
end
for i = 1, tonumber(ARGV[1]) do
  local key = KEYS[i]
  local at = ${SET_COMMON} + ${SET_ARGUMENTS} * (i - 1)
  local head = redis.call('GETRANGE', key, 0, ${HEAD_BYTES_MAX - 1})
  if (string.match(head, '^%d+') or '0') == ARGV[at + 1] then
    redis.call('SET', key, ARGV[at + 2], 'PX', ARGV[at + 3])
    local sets = tonumber(ARGV[at + 4])
    if sets > 0 then
      local id = string.sub(key, idStart, -2)
      enter(KEYS[sets], id, ARGV[at + 5])
      enter(KEYS[sets + 1], id, ARGV[at + 6])
    end
    done[i] = 1
  else
    done[i] = 0
  end
end
return done`

/** Keys and arguments of `SET` for `writes`. */
export function setArguments(
  keys: Keys,
  writes: readonly RecordWrite[],
): [keyCount: number, ...keysThenArguments: string[]] {
  const partitions = [...new Set(writes.flatMap(({ due }) => due?.partition ?? []))]
  const sets = partitions.flatMap((partition) => [
    keys.due(partition, 'approval'),
    keys.due(partition, 'idle'),
  ])
  const setsOf = ({ due }: RecordWrite) =>
    due ? writes.length + 1 + 2 * partitions.indexOf(due.partition) : 0
  const perRecord = writes.flatMap((write) => [
    String(write.expected),
    encodeRecord(write.expected + 1, write.body, write.outbox),
    String(Math.max(1, Math.ceil(write.ttlMs))),
    String(setsOf(write)),
    String(write.due?.approvalMs ?? ''),
    String(write.due?.idleMs ?? ''),
  ])
  const records = writes.map(({ id }) => keys.record(id))
  const common = [String(writes.length), String(keys.headBytes)]
  return [records.length + sets.length, ...records, ...sets, ...common, ...perRecord]
}

/** Of the set that is the key, takes the members away whose scores are still those given: the arguments are member, score, member, … */
const DROP_DUE = `
for i = 1, #ARGV, 2 do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if score and tonumber(score) == tonumber(ARGV[i + 1]) then
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return 0`

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
  redis.defineCommand('plimsollDropDue', { lua: DROP_DUE })
  redis.defineCommand('plimsollTrim', { lua: TRIM })
}
