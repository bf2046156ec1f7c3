import { seededRandom } from '../random.js'

/** A figure with its 95% bootstrap interval. NaN where the figure, or most draws of it, is none. */
export interface Interval {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** A figure of all samples when each cluster counts `weights[cluster]` times; NaN where it is none. */
export type Statistic = (weights: Float64Array) => number

const DRAWS = 200
const SEED = 29

/**
 * Percentile intervals of several figures by resampling clusters with replacement: samples of one cluster (sessions of one task) resemble
 * each other, so that resampling single samples would give intervals that are too narrow. All figures see the same draws. Draws in
 * which a figure is NaN do not count for it. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), ch. 13; Davison and Hinkley,
 * Bootstrap Methods and their Application (1997), §3.8.
 *
 * @param clusters how many there are; statistics take a weight for each
 */
export function bootstrapIntervals(
  clusters: number,
  statistics: readonly Statistic[],
  { draws = DRAWS, seed = SEED } = {},
): Interval[] {
  const values = statistics.map((of) => of(new Float64Array(clusters).fill(1)))
  const drawn = statistics.map((): number[] => [])
  const random = seededRandom(seed)
  const usable = clusters > 1 ? draws : 0
  for (let draw = 0; draw < usable; draw++) {
    const weights = resampled(clusters, random)
    for (const [s, of] of statistics.entries()) drawn[s]?.push(of(weights))
  }
  return values.map((value, s) => ({ value, ...spanOf(drawn[s] ?? []) }))
}

function resampled(clusters: number, random: () => number): Float64Array {
  const weights = new Float64Array(clusters)
  for (let n = 0; n < clusters; n++) {
    const at = Math.floor(random() * clusters)
    weights[at] = (weights[at] ?? 0) + 1
  }
  return weights
}

/** From the 2.5% to the 97.5% quantile. */
function spanOf(draws: readonly number[]): Omit<Interval, 'value'> {
  const sorted = draws.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b)
  if (sorted.length === 0 || sorted.length < draws.length / 2) return { low: Number.NaN, high: Number.NaN }
  const quantile = (share: number): number => {
    const place = share * (sorted.length - 1)
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
    return below + (above - below) * (place % 1)
  }
  return { low: quantile(0.025), high: quantile(0.975) }
}
