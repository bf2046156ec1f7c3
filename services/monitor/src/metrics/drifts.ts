import type { Drift } from '@plimsoll/engine'
import type { Instruments } from './instruments.js'

/** Sums the drift of a chunk's steps: counting each of them by itself would cost as much as judging it. */
export interface Drifts {
  add(category: string, drift: Drift): void
  /** Counts what was added since the last time. */
  settle(): void
}

interface Sum {
  steps: number
  surprise: number
  entropy: number
}

export function createDrifts({
  transitions,
  surprise,
  entropy,
}: Pick<Instruments, 'transitions' | 'surprise' | 'entropy'>): Drifts {
  const sums = new Map<string, Sum>()
  return {
    add: (category, drift) => {
      const sum = sums.get(category) ?? { steps: 0, surprise: 0, entropy: 0 }
      sum.steps++
      sum.surprise += drift.surprise
      sum.entropy += drift.entropy
      sums.set(category, sum)
    },
    settle: () => {
      for (const [category, sum] of sums) {
        transitions.inc({ category }, sum.steps)
        surprise.inc({ category }, sum.surprise)
        entropy.inc({ category }, sum.entropy)
      }
      sums.clear()
    },
  }
}
