import type { StoreInfo } from '../session-store.js'

/** The fields of `INFO`, whose lines are `name:value` and titles that begin with `#`. */
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
 * What Redis tells of itself in `INFO` and `TIME`. `save` is its setting for snapshots, where it may be read; else one that was made tells
 * that there are any.
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
