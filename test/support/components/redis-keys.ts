import { Redis } from 'ioredis'

/** What a store under a prefix holds in Redis, as an accident would change it. */
export interface RedisKeys {
  flush(): Promise<void>
  delete(key: string): Promise<void>
  set(key: string, value: string): Promise<void>
  /** Gives what brings everything back to how it is now. */
  dump(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** `key`s are session ids, or others of the store's own. */
export function openRedisKeys(url: string, prefix: string): RedisKeys {
  const redis = new Redis(url)
  const all = () => redis.keys(`${prefix}:*`)
  const flush = async () => {
    const keys = await all()
    if (keys.length > 0) await redis.del(keys)
  }
  const keyOf = (id: string) => `${prefix}:{${id}}`
  return {
    flush,
    delete: async (id) => void (await redis.del(keyOf(id))),
    set: async (id, value) => void (await redis.set(keyOf(id), value)),
    dump: async () => {
      const keys = await all()
      const dumped = await Promise.all(keys.map((key) => redis.dumpBuffer(key)))
      return async () => {
        await flush()
        for (const [i, key] of keys.entries()) {
          const value = dumped[i]
          if (value) await redis.restore(key, 0, value)
        }
      }
    },
    close: async () => void (await redis.quit()),
  }
}
