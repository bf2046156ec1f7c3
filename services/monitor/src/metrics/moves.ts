import type { CountedMoves } from '../counting.js'
import type { Instruments } from './instruments.js'

/** Sums what a chunk's sessions were counted with: counting each move by itself would cost as much as making it. */
export interface MoveCounts {
  add(category: string, counted: CountedMoves): void
  /** Counts what was added since the last time. */
  settle(): void
}

export function createMoveCounts({ moves }: Pick<Instruments, 'moves'>): MoveCounts {
  const sums = new Map<string, Map<string, number>>()
  return {
    add: (category, counted) => {
      const kinds = sums.get(category) ?? new Map<string, number>()
      sums.set(category, kinds)
      for (const { kind } of counted.moves) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    },
    settle: () => {
      for (const [category, kinds] of sums)
        for (const [kind, count] of kinds) moves.inc({ category, kind }, count)
      sums.clear()
    },
  }
}
