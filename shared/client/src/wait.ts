/** A promise that is answered once: from outside, by its timeout, or rejected by its signal. */
export interface Wait<T> {
  readonly promise: Promise<T>
  /** Harmless once the wait is over. */
  answer(value: T): void
}

export interface WaitTerms<T> {
  readonly timers: Timers
  /** Without end where it is left out. */
  readonly timeoutMs?: number | undefined
  /** Rejects the promise with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Gives the answer when the time is over. */
  readonly onTimeout: () => T
  /** Told of the abort, before the promise rejects. */
  readonly onAbort?: () => void
}

export function createWait<T>(terms: WaitTerms<T>): Wait<T> {
  const { timers, timeoutMs, signal } = terms
  let finish: (settle: () => void) => void = () => {}
  let resolveWith: (value: T) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    let over = false
    let cancelTimer = () => {}
    const abort = () =>
      finish(() => {
        terms.onAbort?.()
        reject(reasonOf(signal))
      })
    finish = (settle) => {
      if (over) return
      over = true
      cancelTimer()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    resolveWith = resolve
    if (timeoutMs !== undefined)
      cancelTimer = timers.after(timeoutMs, () => finish(() => resolve(terms.onTimeout())))
    signal?.addEventListener('abort', abort, { once: true })
  })
  return { promise, answer: (value) => finish(() => resolveWith(value)) }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason as Error
}

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
