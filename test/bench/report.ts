/** What a benchmark prints: figures by what they are, the unit last. */
export interface Report {
  readonly name: string
  readonly figures: Readonly<Record<string, number>>
}

export const perSecond = (count: number, seconds: number): number => Math.round(count / seconds)

/** Milliseconds as microseconds, two decimals. */
export const microsOf = (ms: number): number => Math.round(ms * 100_000) / 100

/** The p-quantile (0…1) of `values`, by nearest rank; NaN of none. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}

/** Two decimals. */
export const roundedMs = (value: number): number => Math.round(value * 100) / 100
