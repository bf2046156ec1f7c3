export interface Backoff {
  /** The next delay in milliseconds: random between 0 and a bound that grows with each call up to `maxMs`. */
  next(): number
  /** Starts again from the first bound, after a success. */
  reset(): void
}

export interface BackoffOptions {
  /** Bound of the first delay; 100 ms by default. */
  readonly firstMs?: number
  /** Bound of every delay; 5 s by default. */
  readonly maxMs?: number
  /** Growth of the bound; 2 by default. */
  readonly factor?: number
  /** In [0, 1); `Math.random` by default. */
  readonly random?: () => number
}

/** Exponential backoff with full jitter, so that clients that failed together do not retry together. */
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

/** Resolves after `ms` milliseconds, or when `signal` is aborted; the caller checks the signal. Never rejects. */
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

/** Source of time, in milliseconds since 1970; tests replace it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Settles as `promise` does, or resolves with `late` after `ms` milliseconds; a later rejection of `promise` is ignored. */
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

export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** A promise with its functions, as `Promise.withResolvers` of Node 22. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
