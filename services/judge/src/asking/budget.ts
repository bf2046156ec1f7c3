import type { Clock } from '@plimsoll/runtime'

export type BudgetScope = 'minute' | 'run'

/** How many calls may still be made. */
export interface Budget {
  /** Takes one call; or tells which bound it would pass. */
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
