import type { Redis, Result } from 'ioredis'
import {
  type DueKind,
  type FleetCount,
  type RecordWrite,
  type StoredRecord,
  COUNTS_TTL_MS,
  UNREADABLE,
  revisionAfter,
} from '../ports/stores.js'
import { COUNT_IN_SHARDS, DROP_DUE, DUE_IN_SHARDS, ENTER, shardOf } from './due-sets.js'

/**
 * Fleet counters are sorted sets: members are session ids, scores are the latest times of the counted action. A set keeps one member more than
 * its limit, those with the latest times: its memory is bounded, and a reading of a window is either complete or full. Old members are not
 * removed by age: they do not count, and are dropped when there is no room.
 */

/** Lua: whether the counters allow a session's marks, and how marks change the sets. */
export const FLEET = `
local MARK = '(%d+) (%-?%d+) (%d*) (%-?%d*) (%d+) (%d+)'
local function isAllowed(marks, id)
  for at, _, others, since in string.gmatch(marks, MARK) do
    if others ~= '' then
      local set = KEYS[tonumber(at)]
      local count = redis.call('ZCOUNT', set, since, '+inf')
      local own = redis.call('ZSCORE', set, id)
      if own and tonumber(own) >= tonumber(since) then
        count = count - 1
      end
      if count >= tonumber(others) then
        return false
      end
    end
  end
  return true
end
local function mark(marks, id)
  for at, time, _, _, kept, ttl in string.gmatch(marks, MARK) do
    local set = KEYS[tonumber(at)]
    if redis.call('ZADD', set, 'GT', time, id) == 1 and redis.call('ZCARD', set) > tonumber(kept) then
      redis.call('ZPOPMIN', set)
    end
    if redis.call('PTTL', set) < tonumber(ttl) then
      redis.call('PEXPIRE', set, ttl)
    end
  end
end`

/** One mark as the script parses it; `key` is the index of its counter among the keys. */
export const fleetArgument = ({ atMs, unless, keptMax, ttlMs }: FleetCount, key: number): string =>
  `${key} ${atMs} ${unless?.others ?? ''} ${unless?.sinceMs ?? ''} ${keptMax} ${Math.max(1, ttlMs)}`

/**
 * A session record as one Redis string: `<revision> <bytes of the body>\n<body><outbox>`. The revision comes first, so that a script
 * reads only a few bytes of a long value to compare it. A string takes half the memory of a hash.
 */
export function encodeRecord(revision: number, body: string, outbox: string): string {
  return `${revision} ${Buffer.byteLength(body)}\n${body}${outbox}`
}

/** Bytes that always include the revision and the length. */
export const HEAD_BYTES_MAX = 32

const NEWLINE = 0x0a

/** `UNREADABLE` if the bytes are no record. */
export function decodeRecord(stored: Buffer): StoredRecord {
  const end = stored.subarray(0, HEAD_BYTES_MAX).indexOf(NEWLINE)
  const [, revision, length] = /^([1-9]\d*) (\d+)$/.exec(stored.toString('latin1', 0, Math.max(end, 0))) ?? []
  const bodyEnd = end + 1 + Number(length)
  if (revision === undefined || bodyEnd > stored.length) return UNREADABLE
  return {
    revision: Number(revision),
    body: stored.toString('utf8', end + 1, bodyEnd),
    outbox: stored.toString('utf8', bodyEnd),
  }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    plimsollSet(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
    plimsollDue(index: string, untilMs: string, limit: string): Result<string[], Context>
    plimsollCountDue(index: string): Result<number, Context>
    plimsollDropDue(keyCount: number, ...keysThenArguments: string[]): Result<number, Context>
    plimsollTrim(keyCount: number, ...keysThenArguments: string[]): Result<number[], Context>
  }
}

/** Due sets of a partition. */
const SETS = 3

/** Arguments of `SET` before those of the records, and for each of them. */
const SET_COMMON = 2
const SET_ARGUMENTS = 11

/**
 * Keys: the records; then for each partition with due times its sets for approvals and obligations and its index for idle times; then counts;
 * then fleet counters.
 *
 * Arguments: the number of records and the bytes of a key before the id. Then for each record: expected revision (`0`: no record; `-1`: a value
 * that is no record), value, TTL in ms, index of its approval set among the keys (`0`: due times do not change), its shard, its three due times
 * (empty: none), index of its counts (`0`: none), their fields by line, and its marks in fleet counters.
 *
 * Stores the value, due times, counts and marks if the stored revision is the expected one and the counters allow it. Counts are summed first,
 * because neighbours often have the same fields. Answers 1 or 0 for each record.
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

/** For each key with its argument, a revision: removes the outbox if the stored revision is equal. Keeps the expiry. */
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

/** ioredis sends each script once per connection, then its hash, and the script again if Redis has lost it. */
export function defineScripts(redis: Redis): void {
  redis.defineCommand('plimsollSet', { lua: SET })
  redis.defineCommand('plimsollDue', { lua: DUE_IN_SHARDS, numberOfKeys: 1 })
  redis.defineCommand('plimsollCountDue', { lua: COUNT_IN_SHARDS, numberOfKeys: 1 })
  redis.defineCommand('plimsollDropDue', { lua: DROP_DUE })
  redis.defineCommand('plimsollTrim', { lua: TRIM })
}

/** Key names of a store. */
export interface Keys {
  readonly record: (id: string) => string
  /** The id of the record at `key`; undefined for other keys. */
  readonly idOf: (key: string) => string | undefined
  /** Bytes of a record's key before the id; one byte follows the id. */
  readonly headBytes: number
  /** The set of approvals or obligations, or the index of idle sets; see due-sets. */
  readonly due: (partition: number, kind: DueKind) => string
  readonly meta: (name: string) => string
  readonly counts: (name: string) => string
  /** The sessions of a fleet counter with their times. */
  readonly fleet: (counter: string) => string
  /** Matches records in `SCAN`, and few other keys. */
  readonly recordPattern: string
}

export function keysUnder(prefix: string): Keys {
  const head = `${prefix}:{`
  return {
    record: (id) => `${head}${id}}`,
    idOf: (key) => (key.startsWith(head) && key.endsWith('}') ? key.slice(head.length, -1) : undefined),
    headBytes: Buffer.byteLength(head),
    due: (partition, kind) => `${head}#${partition}}:due:${kind}`,
    meta: (name) => `${prefix}:meta:${name}`,
    counts: (name) => `${prefix}:counts:${name}`,
    fleet: (counter) => `${prefix}:fleet:${counter}`,
    recordPattern: `${globLiteral(head)}*}`,
  }
}

/** Escapes `text` for a glob pattern. */
const globLiteral = (text: string): string => text.replaceAll(/[\\*?[\]]/g, '\\$&')
