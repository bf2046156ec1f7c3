import type { Clock } from '@plimsoll/runtime'
import type { Timers } from '../timers.js'

/** Time that passes only when a test says so. */
export interface ManualTime {
  readonly clock: Clock
  readonly timers: Timers
  /** Moves the clock on and runs what has come due, in the order of its times. */
  pass(ms: number): void
  /** Timers that are set. */
  pending(): number
}

interface Timer {
  readonly at: number
  readonly action: () => void
}

export function createManualTime(startMs = 1_700_000_000_000): ManualTime {
  const timers = new Set<Timer>()
  let now = startMs

  function nextUntil(end: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of timers) if (timer.at <= end && timer.at < (next?.at ?? Infinity)) next = timer
    return next
  }

  return {
    clock: { now: () => now },
    timers: {
      after: (ms, action) => {
        const timer = { at: now + ms, action }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
    pass: (ms) => {
      const end = now + ms
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer)
        now = timer.at
        timer.action()
      }
      now = end
    },
    pending: () => timers.size,
  }
}

/** Lets time pass, 10 ms a turn of the event loop, until `promise` is settled. */
export async function passUntil<T>(time: ManualTime, promise: Promise<T>): Promise<T> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false))
  while (!(await Promise.race([settled, turn()]))) time.pass(10)
  return promise
}
