import type { FleetMark } from '../session-store.js'

/**
 * The counters of the fleet are sorted sets: members are the ids of sessions, scores the latest times at which they did what is counted. A set
 * keeps one member more than its limit, so that its memory is bounded, and the latest, so that whoever asks for a window is told all that is
 * in it or that it is full. Nothing is taken away by its age: what is too old is not counted, and goes when there is no room.
 */

/** Lua: whether all marks of a session find few enough others, and what they make of the sets. */
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

/** One mark as the script reads it; `key` is the place of its counter among the keys. */
export const fleetArgument = ({ atMs, unless, keptMax, ttlMs }: FleetMark, key: number): string =>
  `${key} ${atMs} ${unless?.others ?? ''} ${unless?.sinceMs ?? ''} ${keptMax} ${Math.max(1, ttlMs)}`
