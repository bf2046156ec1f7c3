import { type Tied, tiedAscending } from './auc.js'
import { type Proportion, wilson } from './detection.js'

/** Mean of (probability − label)², weighted. 0 is perfect. NaN without samples. */
export function brierScore(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  return meanSquare((i) => (probabilities[i] ?? 0) - (labels[i] ?? 0), labels.length, weights)
}

/**
 * 1 − Brier score / that of a reference: 0 is no better than it, 1 is perfect. The reference is one probability for all or one for
 * each sample (for example the base rate of its suite); by default the labels' mean. NaN if the reference is never wrong.
 */
export function brierSkill(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  reference?: number | ArrayLike<number>,
  weights?: ArrayLike<number>,
): number {
  const rate = reference ?? meanLabel(labels, weights)
  const expected = (i: number): number => (typeof rate === 'number' ? rate : (rate[i] ?? 0))
  const worst = meanSquare((i) => expected(i) - (labels[i] ?? 0), labels.length, weights)
  return worst === 0 ? Number.NaN : 1 - brierScore(probabilities, labels, weights) / worst
}

/** Predicted and observed, among samples of similar probability. */
export interface ReliabilityBin {
  /** Weighted mean of the predicted probabilities. */
  readonly predicted: number
  /** Observed positives of all (sums of weights). */
  readonly observed: Proportion
}

/**
 * Samples in at most `bins` bins of similar weight by ascending probability; equal probabilities share a bin.
 *
 * @throws RangeError if lengths differ or a probability is NaN
 */
export function reliabilityCurve(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  bins = 10,
  weights?: ArrayLike<number>,
): ReliabilityBin[] {
  const groups = tiedAscending(probabilities, labels, weights)
  const total = groups.reduce((sum, { weight }) => sum + weight, 0)
  const curve: ReliabilityBin[] = []
  let open = emptySums()
  let before = 0
  for (const group of groups) {
    add(open, group, 1)
    if (
      before + open.weight < ((curve.length + 1) * total) / bins - total * ROUNDING &&
      group !== groups.at(-1)
    )
      continue
    curve.push({ predicted: open.predicted / open.weight, observed: wilson(open.positive, open.weight) })
    before += open.weight
    open = emptySums()
  }
  return curve
}

/** Expected calibration error: the mean of |predicted − observed| over the bins of the reliability curve, weighted by their weight. */
export function calibrationError(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  bins = 10,
  weights?: ArrayLike<number>,
): number {
  const curve = reliabilityCurve(probabilities, labels, bins, weights)
  const total = curve.reduce((sum, { observed }) => sum + observed.of, 0)
  return (
    curve.reduce(
      (sum, { predicted, observed }) => sum + observed.of * Math.abs(predicted - observed.rate),
      0,
    ) / total
  )
}

/**
 * |predicted − observed| among the riskiest share of samples (a tenth by default). Tied probabilities at its border count in part, at their
 * mean label, so that the order of samples does not matter.
 */
export function riskiestError(
  probabilities: ArrayLike<number>,
  labels: ArrayLike<number>,
  share = 0.1,
  weights?: ArrayLike<number>,
): number {
  const groups = tiedAscending(probabilities, labels, weights)
  const wanted = share * groups.reduce((sum, { weight }) => sum + weight, 0)
  const sums = emptySums()
  for (const group of groups.toReversed()) {
    const room = wanted - sums.weight
    if (room <= 0) break
    add(sums, group, Math.min(1, room / group.weight))
  }
  return Math.abs(sums.predicted - sums.positive) / sums.weight
}

/** Rounding error of a sum of weights, as a share of the total. */
const ROUNDING = 1e-12

interface Sums {
  weight: number
  predicted: number
  positive: number
}

const emptySums = (): Sums => ({ weight: 0, predicted: 0, positive: 0 })

function add(sums: Sums, { value, weight, positive }: Tied, share: number): void {
  sums.weight += share * weight
  sums.predicted += share * weight * value
  sums.positive += share * positive
}

function meanSquare(off: (i: number) => number, n: number, weights?: ArrayLike<number>): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < n; i++) {
    const weight = weights?.[i] ?? 1
    sum += weight * off(i) ** 2
    total += weight
  }
  return sum / total
}

function meanLabel(labels: ArrayLike<number>, weights?: ArrayLike<number>): number {
  let sum = 0
  let total = 0
  for (let i = 0; i < labels.length; i++) {
    sum += (weights?.[i] ?? 1) * (labels[i] ?? 0)
    total += weights?.[i] ?? 1
  }
  return sum / total
}
