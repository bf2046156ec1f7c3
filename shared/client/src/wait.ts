/** Source of timeouts, replaced by tests. */
export interface Timers {
  /** Runs `action` once after `ms` milliseconds, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void
}

/** Node fires longer timers at once. */
const DELAY_MS_MAX = 2 ** 31 - 1

export const systemTimers: Timers = {
  after: (ms, action) => {
    const timer = setTimeout(action, Math.min(ms, DELAY_MS_MAX))
    return () => clearTimeout(timer)
  },
}

/** A promise that settles once: by `answer`, by its timeout, or by its signal. */
export interface Wait<T> {
  readonly promise: Promise<T>
  /** Has no effect after the promise has settled. */
  answer(value: T): void
}

export interface WaitTerms<T> {
  readonly timers: Timers
  /** No timeout by default. */
  readonly timeoutMs?: number | undefined
  /** Rejects the promise with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Returns the answer after the timeout. */
  readonly onTimeout: () => T
  /** Called on abort, before the promise rejects. */
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
        reject(signal?.reason as Error)
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

/**
 * `api` with methods whose rejections may go unhandled: a guard must not end the process of the agent that it guards because a call that
 * nobody awaited was refused.
 */
export function handleRejections<T extends object>(api: T): T {
  const members = Object.entries(api).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member]
    const handled = (...args: unknown[]): unknown => {
      const result: unknown = Reflect.apply(member, api, args)
      if (result instanceof Promise) result.catch(() => {})
      return result
    }
    return [name, handled]
  })
  return Object.fromEntries(members) as T
}
