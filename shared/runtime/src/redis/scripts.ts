import type { Redis, Result } from 'ioredis'
import { COUNTS_TTL_MS, revisionAfter, UNREADABLE, type RecordWrite } from '../session-store.js'
import { FLEET, fleetArgument } from './fleet-counters.js'
import { COUNT_IN_SHARDS, DROP_DUE, DUE_IN_SHARDS, ENTER, shardOf } from './due-sets.js'
import type { Keys } from './keys.js'
import { encodeRecord, HEAD_BYTES_MAX } from './record.js'

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollSet(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
    plimsollDue(index: string, untilMs: string, limit: string): Result<string[], Context>
    plimsollCountDue(index: string): Result<number, Context>
    plimsollDropDue(keyCount: number, ...keysThenArguments: string[]): Result<number, Context>
    plimsollTrim(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
  }
}

/** Sets of a partition. */
const SETS = 3

/** Arguments of `SET` before those of the records, and for each of them. */
const SET_COMMON = 2
const SET_ARGUMENTS = 11

/**
 * The keys are those of the records, then for each partition in which any is due its sets for approvals and for obligations and its index for idleness, then
 * those of counts, then the fleet's counters. The arguments are how many records there are and how many bytes of a key stand before the id; then for each record expected revision (`0`:
 * there is nothing; `-1`: what there is is no record), value, life in ms, which of the keys is its set for approvals (`0`: its times are left alone), its shard, and its three
 * times (empty: none); then which of the keys are its counts (`0`: none), and their fields by line; then its marks in the fleet's counters. Stores the value and the times, and
 * counts, if the revision that stands is the expected one and no mark finds too many others: first summed up, for neighbours count the same. Answers 1 or 0 for each.
 */
const SET = `
${ENTER}
${FLEET}
local done = {}
local counted = {}
local idStart = tonumber(ARGV[2]) + 1
local function revisionOf(key, expected)
  local head = redis.call('GETRANGE', key, 0, ${HEAD_BYTES_MAX - 1})
  if head == '' then return redis.call('EXISTS', key) == 0 and '0' or '${UNREADABLE.revision}' end
  local revision, length, start = string.match(head, '^([1-9]%d*) (%d+)\\n()')
  if not revision then return '${UNREADABLE.revision}' end
  if expected == '${UNREADABLE.revision}' and start - 1 + tonumber(length) > redis.call('STRLEN', key) then
    return expected
  end
  return revision
end
for i = 1, tonumber(ARGV[1]) do
  local key = KEYS[i]
  local at = ${SET_COMMON} + ${SET_ARGUMENTS} * (i - 1)
  local id = string.sub(key, idStart, -2)
  if revisionOf(key, ARGV[at + 1]) == ARGV[at + 1] and isAllowed(ARGV[at + 11], id) then
    redis.call('SET', key, ARGV[at + 2], 'PX', ARGV[at + 3])
    local sets = tonumber(ARGV[at + 4])
    if sets > 0 then
      enter(KEYS[sets], id, ARGV[at + 6])
      enter(KEYS[sets + 1], id, ARGV[at + 7])
      enterShard(KEYS[sets + 2], ARGV[at + 5], id, ARGV[at + 8])
    end
    mark(ARGV[at + 11], id)
    local counts = tonumber(ARGV[at + 9])
    if counts > 0 then
      local sums = counted[counts] or {}
      counted[counts] = sums
      for field in string.gmatch(ARGV[at + 10], '[^\\n]+') do
        sums[field] = (sums[field] or 0) + 1
      end
    end
    done[i] = 1
  else
    done[i] = 0
  end
end
for at, sums in pairs(counted) do
  for field, n in pairs(sums) do
    redis.call('HINCRBY', KEYS[at], field, n)
  end
  redis.call('PEXPIRE', KEYS[at], ${COUNTS_TTL_MS})
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
    keys.due(partition, 'obligation'),
    keys.due(partition, 'idle'),
  ])
  const names = [...new Set(writes.flatMap(({ counts }) => counts?.name ?? []))]
  const countsOf = ({ counts }: RecordWrite) =>
    counts ? writes.length + sets.length + 1 + names.indexOf(counts.name) : 0
  const setsOf = ({ due }: RecordWrite) =>
    due ? writes.length + 1 + SETS * partitions.indexOf(due.partition) : 0
  const counters = [...new Set(writes.flatMap(({ fleet = [] }) => fleet.map(({ counter }) => counter)))]
  const counterAt = (counter: string) =>
    writes.length + sets.length + names.length + 1 + counters.indexOf(counter)
  const perRecord = writes.flatMap((write) => [
    String(write.expected),
    encodeRecord(revisionAfter(write.expected), write.body, write.outbox),
    String(Math.max(1, Math.ceil(write.ttlMs))),
    String(setsOf(write)),
    String(write.due ? shardOf(write.id) : ''),
    String(write.due?.approvalMs ?? ''),
    String(write.due?.obligationMs ?? ''),
    String(write.due?.idleMs ?? ''),
    String(countsOf(write)),
    write.counts?.fields.join('\n') ?? '',
    (write.fleet ?? []).map((each) => fleetArgument(each, counterAt(each.counter))).join('\n'),
  ])
  const records = writes.map(({ id }) => keys.record(id))
  const common = [String(writes.length), String(keys.headBytes)]
  const counts = names.map(keys.counts)
  const fleet = counters.map(keys.fleet)
  return [
    records.length + sets.length + counts.length + fleet.length,
    ...records,
    ...sets,
    ...counts,
    ...fleet,
    ...common,
    ...perRecord,
  ]
}

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
  redis.defineCommand('plimsollDue', { lua: DUE_IN_SHARDS, numberOfKeys: 1 })
  redis.defineCommand('plimsollCountDue', { lua: COUNT_IN_SHARDS, numberOfKeys: 1 })
  redis.defineCommand('plimsollDropDue', { lua: DROP_DUE })
  redis.defineCommand('plimsollTrim', { lua: TRIM })
}
