import type { Bundle } from '@plimsoll/contracts'
import { type Target, groupedBy } from '@plimsoll/trainer'
import { type ChainFit, sumOfFits } from './compare.js'
import { type ChainsView, describeChains } from './describe.js'
import type { FoldChains } from './fold-chains.js'

/** How well a chain foretells sessions that it was not fitted to. */
export interface ChainFigures {
  readonly name: string
  /** Transitions foretold. */
  readonly steps: number
  /** Mean ln P of what came next, of `violated`, `ended` and going on: the same three whatever the states. Higher is better. */
  readonly logLikelihood: number
  /** Area under the curve of the highest P(5) before the violating call, within groups; NaN where there is nothing to rank. */
  readonly before: number
}

/** What there is to say of chains, for one target. */
export interface ChainReport {
  readonly target: Target
  /** Each space, without each of its dimensions, and looking further back. */
  readonly compared: readonly ChainFigures[]
  /** Transitions, absorption, P(h) and points of no return, by space. */
  readonly described: readonly ChainsView[]
}

/** Draws folds together: each transition counts the same, each area by its violated sessions. */
export function chainReportOf(target: Target, folds: readonly FoldChains[]): ChainReport {
  const compared = groupedBy(
    folds.flatMap((fold) => [...fold.compared]),
    ([name]) => name,
  )
  return {
    target,
    compared: Array.from(compared, ([name, fits]) =>
      figuresOf(
        name,
        fits.map(([, fit]) => fit),
      ),
    ),
    described: folds.flatMap(({ described }) => described),
  }
}

function figuresOf(name: string, fits: readonly ChainFit[]): ChainFigures {
  const { steps, logLikelihood, unsafe, area } = sumOfFits(fits)
  return { name, steps, logLikelihood: logLikelihood / steps, before: area / unsafe }
}

/** What the chains of a bundle say. */
export const bundleReportOf = ({
  space,
  target,
  name,
  horizon,
  aggregate,
  categories,
}: Bundle): ChainReport => ({
  target,
  compared: [],
  described: [
    describeChains(
      { aggregate, ...categories },
      { space, target, of: `the sessions of the bundle \`${name}\``, horizon },
    ),
  ],
})
