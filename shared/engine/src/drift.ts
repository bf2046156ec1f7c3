import { chainIndex } from './risk.js'
import type { Chain } from './rules.js'
import type { SessionState } from './session.js'

/** What one step says of whether sessions still go as the chain's did, in nats. */
export interface Drift {
  /** −ln of the chain's probability of the step that was made. */
  readonly surprise: number
  /** What the chain's own steps from there surprise by in the mean: their difference is near 0 while nothing has changed. */
  readonly entropy: number
}

/** The drift of the step between two states of a session; undefined where not exactly one was counted between them. */
export function driftOf(
  before: SessionState | undefined,
  after: SessionState | undefined,
  chain: Chain,
): Drift | undefined {
  if (!before || !after || after.steps !== before.steps + 1) return undefined
  const from = chainIndex(chain, before)
  const to = chainIndex(chain, after)
  const { surprise, entropy } = chain
  return { surprise: surprise[from * entropy.length + to] ?? 0, entropy: entropy[from] ?? 0 }
}
