import { seededRandom } from '@plimsoll/chains'
import type { Bundle, Catalogue, ChainTables, StateSpace } from '@plimsoll/contracts'
import { type Corpus, type FlowModel, type Target, groupedBy, spaceOf } from '@plimsoll/trainer'
import {
  type ChainFit,
  type ChainPath,
  type PredictedPath,
  VARIANTS,
  fitChain,
  flowPath,
  sumOfFits,
  walkedPaths,
} from './compare.js'
import { type ChainsView, describeChains } from './describe.js'
import { createLabeller } from '@plimsoll/labels'
import { fitWalkedChains, walk } from '../baselines/chain.js'

/** What one fold says of chains, for one target. */
export interface FoldChains {
  /** Fits of each variant, by name, on the sessions held out; those of the learning curve name the number of training sessions. */
  readonly compared: ReadonlyMap<string, ChainFit>
  /** Of the first fold: what its chains say. */
  readonly described: readonly ChainsView[]
}

export interface FoldChainsOptions {
  readonly corpus: Corpus
  readonly catalogue: Catalogue
  readonly training: readonly number[]
  readonly test: readonly number[]
  readonly groupOf: (n: number) => string
  /** Where there is none, nothing is said of the space `flow`. */
  readonly flow: FlowModel | undefined
  /** What `described` is fitted to, in words; undefined: nothing is described. */
  readonly of: string | undefined
  readonly target: Target
}

/** The learning curve: these variants are fitted to so many sessions too. Source: SafetyDrift, section 8, the plateau near 200 traces. */
const LEARNING = new Set(['paper60', 'flow'])
const CURVE_SESSIONS = [125, 500, 2000, 8000]
const CURVE_SEED = 11

export function foldChains(options: FoldChainsOptions): FoldChains {
  const { training } = options
  const paths = pathsIn(options)
  const compared = new Map<string, ChainFit>()
  for (const variant of VARIANTS) {
    const own = paths.get(variant.space)
    if (!own) continue
    const test = predictedIn(options, own.test)
    const fitTo = (sessions: readonly number[]) => fitChain(variant, sessions.map(own.training), test)
    if (LEARNING.has(variant.name))
      for (const size of CURVE_SESSIONS.filter((each) => each < training.length))
        compared.set(`${variant.name}, ${size} sessions`, fitTo(drawn(training, size)))
    compared.set(variant.name, fitTo(training))
  }
  return { compared, described: describedIn(options) }
}

/** `size` of `items` by chance, the same each time. */
function drawn(items: readonly number[], size: number): number[] {
  const random = seededRandom(CURVE_SEED)
  const keyed = items.map((item) => [random(), item] as const)
  return keyed
    .sort(([a], [b]) => a - b)
    .slice(0, size)
    .map(([, item]) => item)
}

type PathOf = (n: number) => ChainPath

/** Training sessions as inner models see them that were not fitted to their attack, the others as the whole model does. */
function pathsIn({
  corpus,
  catalogue,
  flow,
}: FoldChainsOptions): Map<StateSpace, Record<'training' | 'test', PathOf>> {
  const walked = (['paper5', 'paper60'] as const).map((space) => {
    const pathOf = walkedPaths(corpus, catalogue, space)
    return [space, { training: pathOf, test: pathOf }] as const
  })
  const truthOf = (n: number) => {
    const truth = corpus.recordings[n]?.truth
    if (!truth) throw new RangeError(`no session ${n}`)
    return truth
  }
  const scored = flow && {
    training: (n: number) => flowPath(flow.trained, n, truthOf(n)),
    test: (n: number) => flowPath(flow.view, n, truthOf(n)),
  }
  return new Map<StateSpace, Record<'training' | 'test', PathOf>>([
    ...walked,
    ...(scored ? ([['flow', scored]] as const) : []),
  ])
}

/** A session whose violating step is unknown has no end to predict. */
const predictedIn = ({ corpus, test, groupOf }: FoldChainsOptions, pathOf: PathOf): PredictedPath[] =>
  test
    .filter((n) => corpus.recordings[n]?.truth.hasSteps)
    .map((n) => ({ path: pathOf(n), group: groupOf(n) }))

function describedIn({ corpus, catalogue, training, flow, of, target }: FoldChainsOptions): ChainsView[] {
  if (of === undefined) return []
  const labelOf = createLabeller(catalogue)
  const described = (
    space: StateSpace,
    { aggregate, categories }: { aggregate: Tables; categories: ReadonlyMap<string, Tables> },
  ) => describeChains({ aggregate, ...Object.fromEntries(categories) }, { space, target, of })
  const walked = (['paper5', 'paper60'] as const).map((name) => {
    const space = spaceOf(name)
    const walkOf = (n: number) => {
      const blind = corpus.recordings[n]?.blind
      return blind && walk(blind, labelOf, space)
    }
    return described(name, fitWalkedChains(corpus, walkOf, training, space))
  })
  return [...(flow ? [described('flow', flow.chains)] : []), ...walked]
}

type Tables = Omit<ChainTables, 'thresholds'>

/** How well a chain predicts sessions that it was not fitted to. */
export interface ChainFigures {
  readonly name: string
  /** Transitions predicted. */
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
