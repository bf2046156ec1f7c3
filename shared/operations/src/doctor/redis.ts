import { ERRORS, PlimsollError } from '@plimsoll/contracts'
import { type StoreInfo, within } from '@plimsoll/runtime'

/** `warn`: it works, but not as safely as it should. `fail`: it does not work, or not for long. */
export type Status = 'ok' | 'warn' | 'fail'

/** The result of one check. */
export interface Finding {
  readonly name: string
  readonly status: Status
  /** One line that says what is. */
  readonly what: string
  /** One line that says what to do, if anything. */
  readonly remedy?: string
}

export const ok = (name: string, what: string): Finding => ({ name, status: 'ok', what })
export const warn = (name: string, what: string, remedy: string): Finding => ({
  name,
  status: 'warn',
  what,
  remedy,
})
export const fail = (name: string, what: string, remedy: string): Finding => ({
  name,
  status: 'fail',
  what,
  remedy,
})

/** Limit of a check, milliseconds, in case its own limits fail. */
const CHECK_MS_MAX = 30_000

/** The findings of `look`; a failure if it rejects or does not end. Never rejects. */
export async function examined(
  name: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    const late = fail(name, `no answer within ${CHECK_MS_MAX / 1000} s`, 'see whether its host is overloaded')
    return await within(CHECK_MS_MAX, look(), [late])
  } catch (error) {
    if (error instanceof PlimsollError) return [fail(name, error.message, ERRORS[error.code].help)]
    return [fail(name, `the check itself failed: ${String(error)}`, 'report this')]
  }
}

const MAJOR_LEAST = 7
/** Shares of the memory limit. */
const MEMORY_WARN = 0.8
const MEMORY_FAIL = 0.95

/** Findings about the session store. */
export function storeFindings(info: StoreInfo): readonly Finding[] {
  return [version(info), eviction(info), persistence(info), memory(info), role(info)]
}

function version({ version }: StoreInfo): Finding {
  const major = Number(/(\d+)\./.exec(version)?.[1] ?? Number.NaN)
  if (major >= MAJOR_LEAST) return ok('redis version', version)
  return fail('redis version', `${version} is too old`, `upgrade to Redis ${MAJOR_LEAST} or later`)
}

function eviction({ evictionPolicy }: StoreInfo): Finding {
  const name = 'redis eviction'
  const remedy = 'set `maxmemory-policy noeviction`'
  if (evictionPolicy === 'noeviction') return ok(name, 'noeviction')
  if (evictionPolicy === undefined)
    return warn(name, 'its maxmemory-policy is not known', `make sure: ${remedy}`)
  return fail(name, `${evictionPolicy}: sessions would go when memory is full, unnoticed`, remedy)
}

function persistence({ persistence: { aof, rdb } }: StoreInfo): Finding {
  const name = 'redis persistence'
  const kinds = [...(aof ? ['append-only file'] : []), ...(rdb ? ['snapshots'] : [])]
  if (kinds.length > 0) return ok(name, kinds.join(' and '))
  const remedy = 'set `appendonly yes`; else sessions are rebuilt from the log after each restart'
  if (aof === undefined && rdb === undefined) return warn(name, 'not known', `make sure: ${remedy}`)
  return warn(name, 'neither append-only file nor snapshots: a restart empties it', remedy)
}

function memory({ memoryBytes, memoryBytesMax }: StoreInfo): Finding {
  const name = 'redis memory'
  if (memoryBytes === undefined) return ok(name, 'not known')
  const used = `${mebibytes(memoryBytes)} MiB`
  if (!memoryBytesMax) return ok(name, `${used} in use, no limit`)
  const share = memoryBytes / memoryBytesMax
  const what = `${used} of ${mebibytes(memoryBytesMax)} MiB in use (${Math.round(share * 100)}%)`
  if (share < MEMORY_WARN) return ok(name, what)
  const remedy = 'raise `maxmemory`, or lower PLIMSOLL_IDLE_TTL_SECONDS: a full store takes no more sessions'
  return share < MEMORY_FAIL ? warn(name, what, remedy) : fail(name, what, remedy)
}

function role({ role }: StoreInfo): Finding {
  const name = 'redis role'
  if (role === 'replica')
    return fail(name, 'a replica, which takes no writes', 'give REDIS_URL the address of the primary')
  return ok(name, role ?? 'not known')
}

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)
