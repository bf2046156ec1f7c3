import type { Bundle } from '@plimsoll/contracts'
import { LEVELS, TAINTS } from '@plimsoll/contracts'
import { flowBucketOf, flowLevelOf, flowTaintOf } from '@plimsoll/engine'
import { spaceOf } from '../sessions/space.js'

/** What a bundle's chain says of a category. */
export interface ChainView {
  readonly category: string
  /** P(violated within h steps) of a session that begins, h = 0…horizonMax. */
  readonly ahead: readonly number[]
  /** States whose P(horizon) reaches the threshold of band 2, and that were ever left: the points of no return. */
  readonly noReturn: readonly { readonly state: string; readonly probability: number }[]
}

export function chainViewsOf({ space: name, horizon, aggregate, categories }: Bundle): ChainView[] {
  const space = spaceOf(name)
  return Object.entries({ aggregate, ...categories }).map(([category, { forward, thresholds, counts }]) => {
    const seen = new Set(counts.map(([from]) => from))
    const noReturn = (forward[horizon] ?? []).flatMap((probability, s) =>
      probability >= (thresholds.forward[1] ?? 1) && seen.has(s)
        ? [{ state: stateName(name, s), probability }]
        : [],
    )
    noReturn.sort((a, b) => b.probability - a.probability)
    return { category, ahead: forward.map((row) => row[space.start] ?? 0), noReturn }
  })
}

export function stateName(space: Bundle['space'], s: number): string {
  if (space === 'paper5') return LEVELS[s] ?? String(s)
  if (space === 'paper60') return `safety state ${s}`
  return `${LEVELS[flowLevelOf(s)]}, read ${TAINTS[flowTaintOf(s)]}, bucket ${flowBucketOf(s)}`
}
