/** Where waiting comes from, so that tests can move it. */
export interface Timers {
  /** Runs `action` once, `ms` milliseconds from now, unless the function that comes back is called first. */
  after(ms: number, action: () => void): () => void
}

/** Node fires a longer one at once. */
const DELAY_MS_MAX = 2 ** 31 - 1

export const systemTimers: Timers = {
  after: (ms, action) => {
    const timer = setTimeout(action, Math.min(ms, DELAY_MS_MAX))
    return () => clearTimeout(timer)
  },
}
