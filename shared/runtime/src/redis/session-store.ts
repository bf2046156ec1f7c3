import { PlimsollError } from '@plimsoll/contracts'
import type { ChainableCommander } from 'ioredis'
import { type SessionStore, type StoreInfo, assertWrite, isSessionId } from '../ports/stores.js'
import { type RedisStoreOptions, connect, unavailable } from './connection.js'
import { shardOf } from './due-sets.js'
import { decodeRecord, defineScripts, keysUnder, setArguments } from './scripts.js'

/** The fields of `INFO`: lines of `name:value`; titles begin with `#`. */
function parseInfo(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('#'))
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const]
    }),
  )
}

/**
 * From Redis' `INFO` and `TIME`. `save` is its setting for snapshots; where that cannot be read, an existing snapshot shows that there are
 * some.
 */
export function storeInfoOf(info: string, time: readonly string[], save: string | undefined): StoreInfo {
  const fields = parseInfo(info)
  const number = (name: string) => (fields.has(name) ? Number(fields.get(name)) : undefined)
  const name = fields.get('server_name') ?? 'redis'
  const version = fields.get(`${name}_version`) ?? fields.get('redis_version') ?? 'of unknown version'
  const [seconds = 0, micros = 0] = time.map(Number)
  const aof = number('aof_enabled')
  const snapshots = number('rdb_saves')
  return {
    version: `${name} ${version}`,
    evictionPolicy: fields.get('maxmemory_policy'),
    persistence: {
      aof: aof === undefined ? undefined : aof > 0,
      rdb: save === undefined ? (snapshots ?? 0) > 0 || undefined : save !== '',
    },
    memoryBytes: number('used_memory'),
    memoryBytesMax: number('maxmemory'),
    timeMs: seconds * 1_000 + Math.floor(micros / 1_000),
    role: roleOf(fields.get('role')),
  }
}

function roleOf(role: string | undefined): StoreInfo['role'] {
  if (role === 'master') return 'primary'
  return role === 'slave' ? 'replica' : undefined
}

/**
 * A `SessionStore` in Redis 7 or later. Connects in the background and reconnects forever; meanwhile calls reject with `store_unavailable`
 * after `answerTimeoutMs`. A call that rejects may have taken effect in part, each write wholly or not at all.
 */
export function createRedisStore(options: RedisStoreOptions): SessionStore {
  const { redis, ask, close } = connect(options)
  defineScripts(redis)
  const keys = keysUnder(options.prefix ?? 'plimsoll')

  /** Sends one pipeline; resolves with its answers, or failures, in order. */
  const attempt = async (fill: (pipeline: ChainableCommander) => void): Promise<readonly Answer[]> => {
    const pipeline = redis.pipeline()
    fill(pipeline)
    return (await ask(async () => (pipeline.length === 0 ? [] : pipeline.exec()))) ?? []
  }
  /** As `attempt`, but rejects if any command failed. */
  const roundTrip = async (fill: (pipeline: ChainableCommander) => void): Promise<readonly unknown[]> =>
    (await attempt(fill)).map(answerOf)

  return {
    load: async (ids) => {
      const answers = await roundTrip((pipeline) => {
        for (const chunk of chunksOf(ids.map(keys.record))) pipeline.mgetBuffer(chunk)
      })
      const values = answers.flat()
      return ids.map((_, i) => {
        const stored = values[i]
        return Buffer.isBuffer(stored) ? decodeRecord(stored) : undefined
      })
    },
    compareAndSet: async (writes) => {
      for (const write of writes) assertWrite(write)
      const answers = await roundTrip((pipeline) => {
        for (const chunk of chunksOf(writes)) pipeline.plimsollSet(...setArguments(keys, chunk))
      })
      return answers.flat().map((answer) => answer === 1)
    },
    trim: async (records) => {
      await roundTrip((pipeline) => {
        for (const chunk of chunksOf(records))
          pipeline.plimsollTrim(
            chunk.length,
            ...chunk.map(({ id }) => keys.record(id)),
            ...chunk.map(({ revision }) => String(revision)),
          )
      })
    },
    due: async (partition, kind, untilMs, limit) => {
      const key = keys.due(partition, kind)
      const [until, count] = [String(untilMs), String(Math.max(0, limit))]
      const [answer] = await roundTrip((pipeline) =>
        kind === 'idle'
          ? pipeline.plimsollDue(key, until, count)
          : pipeline.zrange(key, '-inf', until, 'BYSCORE', 'LIMIT', 0, count, 'WITHSCORES'),
      )
      return chunksOf(answer as string[], 2).map(([id = '', atMs]) => ({ id, atMs: Number(atMs) }))
    },
    dropDue: async (partition, kind, entries) => {
      const key = keys.due(partition, kind)
      const setOf = (id: string) => (kind === 'idle' ? `${key}:${shardOf(id)}` : key)
      await roundTrip((pipeline) => {
        for (const chunk of chunksOf(entries))
          pipeline.plimsollDropDue(
            chunk.length,
            ...chunk.map(({ id }) => setOf(id)),
            ...chunk.flatMap(({ id, atMs }) => [id, String(atMs)]),
          )
      })
    },
    dueCounts: async (partition) => {
      const [approval, obligation, idle] = await roundTrip((pipeline) =>
        pipeline
          .zcard(keys.due(partition, 'approval'))
          .zcard(keys.due(partition, 'obligation'))
          .plimsollCountDue(keys.due(partition, 'idle')),
      )
      return { approval: Number(approval), obligation: Number(obligation), idle: Number(idle) }
    },
    counted: async (name) => {
      const counts = new Map<string, number>()
      let cursor = '0'
      do {
        const [answer] = await roundTrip((pipeline) =>
          pipeline.hscan(keys.counts(name), cursor, 'COUNT', COUNTS_PER_SCAN),
        )
        const [next, found] = answer as [string, string[]]
        for (const [field = '', n] of chunksOf(found, 2)) counts.set(field, Number(n))
        cursor = next
      } while (cursor !== '0')
      return counts
    },
    fleet: async (queries) => {
      const answers = await roundTrip((pipeline) => {
        for (const { counter, id, sinceMs } of queries)
          pipeline.zcount(keys.fleet(counter), String(sinceMs), '+inf').zscore(keys.fleet(counter), id)
      })
      return queries.map(({ sinceMs }, i) => {
        const score = answers[2 * i + 1]
        const ownMs = typeof score === 'string' ? Number(score) : undefined
        return { others: Number(answers[2 * i]) - (ownMs !== undefined && ownMs >= sinceMs ? 1 : 0), ownMs }
      })
    },
    list: async (cursor = '0', limit) => {
      const [answer] = await roundTrip((pipeline) =>
        pipeline.scan(cursor, 'MATCH', keys.recordPattern, 'COUNT', Math.max(1, limit)),
      )
      const [next, found] = answer as [string, string[]]
      const ids = [...new Set(found.flatMap((key) => keys.idOf(key) ?? []))].filter(isSessionId)
      return next === '0' ? { ids } : { ids, cursor: next }
    },
    describe: async () => {
      const [info, time, save] = await attempt((pipeline) => pipeline.info().time().config('GET', 'save'))
      if (!info || !time) throw new PlimsollError('store_unavailable', 'redis did not answer')
      // Managed services do not show their settings.
      const [, saved] = save?.[0] ? [] : ((save?.[1] ?? []) as string[])
      return storeInfoOf(answerOf(info) as string, answerOf(time) as string[], saved)
    },
    readMeta: async (name) => {
      const [fields] = await roundTrip((pipeline) => pipeline.hgetall(keys.meta(name)))
      return { ...(fields as Record<string, string>) }
    },
    writeMeta: async (name, fields) => {
      if (Object.keys(fields).length === 0) return
      await roundTrip((pipeline) => pipeline.hset(keys.meta(name), { ...fields }))
    },
    ping: async () => void (await ask(() => redis.ping())),
    close,
  }
}

/** Keys per command: many, because a command costs more than a key; bounded, because Redis runs nothing else meanwhile. */
const KEYS_PER_COMMAND_MAX = 128

const COUNTS_PER_SCAN = 1_000

function chunksOf<T>(items: readonly T[], size = KEYS_PER_COMMAND_MAX): T[][] {
  const chunks: T[][] = []
  for (let i = 0; i < items.length; i += size) chunks.push(items.slice(i, i + size))
  return chunks
}

type Answer = readonly [error: Error | null, answer: unknown]

function answerOf([error, answer]: Answer): unknown {
  if (error) throw unavailable(error)
  return answer
}
