import type { Clock } from '@plimsoll/runtime'

export type BudgetScope = 'minute' | 'run'

/** Limits the number of calls. */
export interface Budget {
  /** Counts one call; or returns the limit that it would exceed. */
  take(): BudgetScope | undefined
  left(): Readonly<Record<BudgetScope, number>>
}

const MINUTE_MS = 60_000

export function createBudget(perMinuteMax: number, runMax: number, clock: Clock): Budget {
  const taken: number[] = []
  let total = 0
  const forget = () => {
    const since = clock.now() - MINUTE_MS
    while (taken[0] !== undefined && taken[0] <= since) taken.shift()
  }
  return {
    take() {
      forget()
      if (total >= runMax) return 'run'
      if (taken.length >= perMinuteMax) return 'minute'
      taken.push(clock.now())
      total++
      return undefined
    },
    left() {
      forget()
      return { minute: perMinuteMax - taken.length, run: runMax - total }
    },
  }
}
