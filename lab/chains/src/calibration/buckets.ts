import { type Tied, tiedAscending } from '../metrics/auc.js'

export interface BucketOptions {
  /** Share of all weight that a bucket holds at least; 0.01 by default. */
  readonly minShare?: number
}

/** Cuts are searched between at most this many runs of similar weight, because the search is quadratic. */
const RUNS_MAX = 256

/**
 * The ascending `buckets` − 1 probabilities that split the samples so that the bucket explains the label best: the split of highest
 * likelihood, by dynamic programming over the cuts between unequal probabilities. A probability at an edge is above it. If there are
 * fewer possible cuts than requested, the last edges are 1.
 *
 * @throws RangeError if there are no samples, lengths differ, or an option is out of range
 */
export function bucketEdges(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  buckets: number,
  weights?: ArrayLike<number>,
  { minShare = 0.01 }: BucketOptions = {},
): number[] {
  if (!Number.isInteger(buckets) || buckets < 1) throw new RangeError('expected whole buckets from 1')
  if (!(minShare >= 0 && minShare <= 1)) throw new RangeError('expected a minShare from 0 to 1')
  const runs = runsOf(tiedAscending(probabilities, labels, weights))
  const cuts = bestCuts(runs, buckets, minShare)
  const edges = cuts.map((at) => ((runs[at - 1]?.last ?? 0) + (runs[at]?.first ?? 1)) / 2)
  return [...edges, ...Array.from({ length: buckets - 1 - edges.length }, () => 1)]
}

/**
 * The mean probability of each bucket, up to the last bucket that has samples: empty buckets of `bucketEdges` come last.
 *
 * @param edges ascending; a probability at an edge is above it
 * @throws RangeError if there are no samples
 */
export function bucketCentres(
  probabilities: ArrayLike<number>,
  edges: readonly number[],
  weights?: ArrayLike<number>,
): number[] {
  const buckets = Array.from({ length: edges.length + 1 }, () => ({ weight: 0, sum: 0 }))
  for (let i = 0; i < probabilities.length; i++) {
    const probability = probabilities[i] ?? 0
    const above = edges.findIndex((edge) => probability < edge)
    const bucket = buckets[above < 0 ? edges.length : above]
    if (!bucket) continue
    bucket.weight += weights?.[i] ?? 1
    bucket.sum += probability * (weights?.[i] ?? 1)
  }
  const filled = buckets.filter(({ weight }) => weight > 0)
  if (filled.length === 0) throw new RangeError('expected samples')
  return filled.map(({ sum, weight }) => sum / weight)
}

interface Run {
  readonly first: number
  last: number
  weight: number
  positive: number
}

/** At most `RUNS_MAX` runs of like weight; equal probabilities stay together. */
function runsOf(groups: readonly Tied[]): Run[] {
  const total = groups.reduce((sum, { weight }) => sum + weight, 0)
  if (total === 0) throw new RangeError('expected samples')
  const runs: Run[] = []
  let before = 0
  for (const { value, weight, positive } of groups) {
    let run = runs.at(-1)
    if (!run || groups.length <= RUNS_MAX || before >= (runs.length * total) / RUNS_MAX)
      runs.push((run = { first: value, last: value, weight: 0, positive: 0 }))
    run.last = value
    run.weight += weight
    run.positive += positive
    before += weight
  }
  return runs
}

/** The run indices at which all buckets but the first begin, for the best split into at most `buckets`. */
function bestCuts(runs: readonly Run[], buckets: number, minShare: number): number[] {
  const sums = [{ weight: 0, positive: 0 }]
  for (const [i, { weight, positive }] of runs.entries())
    sums.push({
      weight: (sums[i]?.weight ?? 0) + weight,
      positive: (sums[i]?.positive ?? 0) + positive,
    })
  const least = minShare * (sums.at(-1)?.weight ?? 0) * (1 - ROUNDING)
  const worth = (from: number, to: number): number => {
    const weight = (sums[to]?.weight ?? 0) - (sums[from]?.weight ?? 0)
    return weight < least
      ? -Infinity
      : likelihood((sums[to]?.positive ?? 0) - (sums[from]?.positive ?? 0), weight)
  }
  // best[to]: the best split of the runs before `to` into the buckets so far.
  let best = Array.from(sums, (_, to) => ({
    value: to === 0 ? -Infinity : worth(0, to),
    cuts: [] as number[],
  }))
  for (let bucket = 1; bucket < buckets; bucket++) {
    const before = best
    best = before.map((kept, to) => {
      let [value, at] = [kept.value, 0]
      for (let from = 1; from < to; from++) {
        const candidate = (before[from]?.value ?? -Infinity) + worth(from, to)
        if (candidate > value + GAIN_MIN) [value, at] = [candidate, from]
      }
      return at === 0 ? kept : { value, cuts: [...(before[at]?.cuts ?? []), at] }
    })
  }
  return best.at(-1)?.cuts ?? []
}

/** Rounding error of a sum of weights, as a share of the total. */
const ROUNDING = 1e-9

/** A smaller gain is rounding error and does not justify a cut. */
const GAIN_MIN = 1e-9

/** Log-likelihood of `positive` of `weight` at their own rate. */
function likelihood(positive: number, weight: number): number {
  const term = (n: number) => (n > 0 ? n * Math.log(n / weight) : 0)
  return term(positive) + term(weight - positive)
}
