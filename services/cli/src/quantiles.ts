/** Values kept to take quantiles of; beyond it the oldest go. */
const SAMPLES_MAX = 262_144

/** The latest values of something measured. */
export interface Samples {
  add(value: number): void
  /** The value that a `share` of the samples (0…1) do not exceed; 0 while there are none. */
  quantile(share: number): number
}

export function createSamples(samplesMax: number = SAMPLES_MAX): Samples {
  const values: number[] = []
  let next = 0
  return {
    add: (value) => {
      values[next] = value
      next = (next + 1) % samplesMax
    },
    quantile: (share) => {
      const ascending = Float64Array.from(values).sort()
      return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? 0
    },
  }
}

/** `p50` and `p99` of `samples`, with `digits` after the point. */
export function p50AndP99(samples: Samples, digits = 1): { readonly p50: number; readonly p99: number } {
  const rounded = (share: number) => Number(samples.quantile(share).toFixed(digits))
  return { p50: rounded(0.5), p99: rounded(0.99) }
}
