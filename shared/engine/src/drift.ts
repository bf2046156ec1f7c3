import { flowBucketOf } from './flow-state.js'
import type { Move } from './moves.js'
import type { Chain } from './rules.js'

/** What one step says of whether sessions still go as the chain's did, in nats. */
export interface Drift {
  /** −ln of the chain's probability of the step that was made. */
  readonly surprise: number
  /** What the chain's own steps from there surprise by in the mean: their difference is near 0 while nothing has changed. */
  readonly entropy: number
  /** The bucket in which the session stood as it made the step; undefined outside of the space `flow`. */
  readonly bucket: number | undefined
}

/**
 * The drift of `move`, which is of `chain`: from where the session stood to where its result left it, as the chain was counted. Undefined
 * for what is no step that the chain calls survived.
 */
export function driftOf({ kind, from, to }: Move, chain: Chain): Drift | undefined {
  // To the recordings' truth the cascade's violation is a step like any other.
  if (kind !== 'survived' && (kind !== 'passed' || chain.target === 'modelled')) return undefined
  const { surprise, entropy, space } = chain
  return {
    surprise: surprise[from * entropy.length + to] ?? 0,
    entropy: entropy[from] ?? 0,
    bucket: space === 'flow' ? flowBucketOf(from) : undefined,
  }
}
