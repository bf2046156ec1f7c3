import { readdirSync, readFileSync } from 'node:fs'

/** Adds up what this process' processor time was while actions ran. */
export interface Timer {
  during<T>(action: () => Promise<T>): Promise<T>
  /** Milliseconds. */
  total(): number
}

export function ownTimer(): Timer {
  let micros = 0
  return {
    async during(action) {
      const before = process.cpuUsage()
      const result = await action()
      const { user, system } = process.cpuUsage(before)
      micros += user + system
      return result
    },
    total: () => micros / 1_000,
  }
}

/**
 * The processor time of all threads of another process that still run, milliseconds, out of Linux' `schedstat`; elsewhere not a number: it
 * is not available elsewhere at this resolution.
 */
export function processTimer(pid: number | null): () => number {
  const folder = `/proc/${pid}/task`
  const nanosOf = (thread: string): number =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])
  return () => {
    if (process.platform !== 'linux') return Number.NaN
    return readdirSync(folder).reduce((sum, thread) => sum + nanosOf(thread), 0) / 1_000_000
  }
}
