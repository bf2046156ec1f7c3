export interface Backoff {
  /** The next delay, in milliseconds: anywhere between 0 and a bound that grows with each call up to `maxMs`. */
  next(): number
  /** Starts again from the first bound: what was tried has succeeded. */
  reset(): void
}

export interface BackoffOptions {
  /** Bound of the first delay; 100 ms by default. */
  readonly firstMs?: number
  /** Bound of every delay; 5 s by default. */
  readonly maxMs?: number
  /** How much each bound is of the one before; 2 by default. */
  readonly factor?: number
  /** In [0, 1); `Math.random` by default. */
  readonly random?: () => number
}

/** Exponential backoff with full jitter, so that many that failed together do not come back together. */
export function createBackoff(options: BackoffOptions = {}): Backoff {
  const { firstMs = 100, maxMs = 5_000, factor = 2, random = Math.random } = options
  let bound = firstMs
  return {
    next: () => {
      const delay = random() * Math.min(bound, maxMs)
      bound = Math.min(bound * factor, maxMs)
      return delay
    },
    reset: () => {
      bound = firstMs
    },
  }
}

/** Resolves after `ms` milliseconds, or at once when `signal` is aborted; the caller looks at the signal. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Where time comes from, so that tests can move it. Milliseconds since 1970. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Resolves as `promise` does, or with `late` after `ms` milliseconds; whatever becomes of `promise` then is skipped. */
export async function within<T, L>(ms: number, promise: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
    promise.catch(() => {})
  }
}
