/** Sums by name, told all at once: a counter's own sum costs more than a map's. */
export interface Sums {
  add(name: string, value: number): void
  /** Tells each sum since the last time. */
  settle(): void
}

export function createSums(tell: (name: string, sum: number) => void): Sums {
  const sums = new Map<string, number>()
  return {
    add: (name, value) => void sums.set(name, (sums.get(name) ?? 0) + value),
    settle: () => {
      for (const [name, sum] of sums) tell(name, sum)
      sums.clear()
    },
  }
}
