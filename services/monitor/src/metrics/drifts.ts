import { driftOf, FLOW_BUCKETS, type Chain } from '@plimsoll/engine'
import type { CountedMoves } from '../counting.js'
import type { Instruments } from './instruments.js'

/** Sums the drift of a chunk's steps: counting each of them by itself would cost as much as judging it. */
export interface Drifts {
  /** Steps of `category`, whose name is the label, under the chain that they were counted by. */
  add(category: string, counted: CountedMoves, chain: Chain): void
  /** Counts what was added since the last time. */
  settle(): void
}

interface Sum {
  steps: number
  surprise: number
  entropy: number
}

type Counters = Pick<
  Instruments,
  'transitions' | 'surprise' | 'entropy' | 'bucketSteps' | 'bucketFittedSteps'
>

export function createDrifts({
  transitions,
  surprise,
  entropy,
  bucketSteps,
  bucketFittedSteps,
}: Counters): Drifts {
  const sums = new Map<string, Sum>()
  const stood = new Float64Array(FLOW_BUCKETS)
  const fitted = new Float64Array(FLOW_BUCKETS)

  /** A step made in `bucket`, beside how many of one step are made in each as the chain was fitted. */
  const stand = (bucket: number, { buckets }: Chain) => {
    if (buckets.length === 0) return
    stood[bucket] = (stood[bucket] ?? 0) + 1
    for (let i = 0; i < FLOW_BUCKETS; i++) fitted[i] = (fitted[i] ?? 0) + (buckets[i] ?? 0)
  }

  return {
    add: (category, { moves }, chain) => {
      const sum = sums.get(category) ?? { steps: 0, surprise: 0, entropy: 0 }
      for (const move of moves) {
        const drift = driftOf(move, chain)
        if (!drift) continue
        sum.steps++
        sum.surprise += drift.surprise
        sum.entropy += drift.entropy
        if (drift.bucket !== undefined) stand(drift.bucket, chain)
      }
      if (sum.steps > 0) sums.set(category, sum)
    },
    settle: () => {
      for (const [category, sum] of sums) {
        transitions.inc({ category }, sum.steps)
        surprise.inc({ category }, sum.surprise)
        entropy.inc({ category }, sum.entropy)
      }
      sums.clear()
      // Each with all buckets, so that both have the same series.
      if (fitted.every((steps) => steps === 0)) return
      for (const [i, steps] of fitted.entries()) {
        bucketSteps.inc({ bucket: String(i) }, stood[i] ?? 0)
        bucketFittedSteps.inc({ bucket: String(i) }, steps)
      }
      stood.fill(0)
      fitted.fill(0)
    },
  }
}
