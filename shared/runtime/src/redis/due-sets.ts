import { murmur2 } from '../ports/partitioner.js'

/**
 * Due sessions are in sorted sets: members are session ids, scores are times. Nearly every live session has an idle time, and Redis stores a
 * set of at most 128 members in a third of the memory per member. So the idle times of a partition are spread over `SHARDS` sets by the hash
 * of the id, which stay small up to 32,000 sessions. An index has, for each shard, a time before which nothing in it is due: a search reads
 * only the shards whose time has come, and updates their times. Approvals and obligations are few and have one set each.
 */
export const SHARDS = 256

/** Uses other bits of the hash than the choice of the partition does if the number of partitions is a power of two. */
export const shardOf = (id: string): number => (murmur2(Buffer.from(id)) >>> 16) % SHARDS

/** Lua: sets the due time of `id`; an empty time removes it. */
export const ENTER = `
local function enter(set, id, time)
  if time == '' then
    redis.call('ZREM', set, id)
  else
    redis.call('ZADD', set, time, id)
  end
end
local function enterShard(index, shard, id, time)
  enter(index .. ':' .. shard, id, time)
  if time ~= '' then
    redis.call('ZADD', index, 'LT', time, shard)
  end
end`

/** The key is an index; the arguments are the latest time and the limit. Answers member, score, member, … of the earliest in all shards. */
export const DUE_IN_SHARDS = `
local found = {}
for _, shard in ipairs(redis.call('ZRANGE', KEYS[1], '-inf', ARGV[1], 'BYSCORE')) do
  local set = KEYS[1] .. ':' .. shard
  local due = redis.call('ZRANGE', set, '-inf', ARGV[1], 'BYSCORE', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
  for i = 1, #due, 2 do
    found[#found + 1] = { due[i], tonumber(due[i + 1]), due[i + 1] }
  end
  local first = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if first[2] then
    redis.call('ZADD', KEYS[1], first[2], shard)
  else
    redis.call('ZREM', KEYS[1], shard)
  end
end
table.sort(found, function(a, b)
  return a[2] < b[2] or (a[2] == b[2] and a[1] < b[1])
end)
local answer = {}
for i = 1, math.min(#found, tonumber(ARGV[2])) do
  answer[2 * i - 1] = found[i][1]
  answer[2 * i] = found[i][3]
end
return answer`

/** The key is an index. Answers the number of members in its shards. */
export const COUNT_IN_SHARDS = `
local count = 0
for shard = 0, ${SHARDS - 1} do
  count = count + redis.call('ZCARD', KEYS[1] .. ':' .. shard)
end
return count`

/** The keys are sets; the arguments are member and score for each. Removes members whose score is unchanged. */
export const DROP_DUE = `
for i, set in ipairs(KEYS) do
  local score = redis.call('ZSCORE', set, ARGV[2 * i - 1])
  if score and tonumber(score) == tonumber(ARGV[2 * i]) then
    redis.call('ZREM', set, ARGV[2 * i - 1])
  end
end
return 0`
