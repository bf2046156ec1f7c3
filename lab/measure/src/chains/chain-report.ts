import { seededRandom } from '@plimsoll/chains'
import { type Bundle, type Catalogue, type StateSpace, SPACE_SIZES } from '@plimsoll/contracts'
import { type Corpus, type FlowModel, type Target, CATEGORIES, groupedBy, spaceOf } from '@plimsoll/fit'
import { pathAlong, walk } from '../baselines/chain.js'
import {
  type ChainFit,
  type ChainPath,
  type NextState,
  type PredictedPath,
  VARIANTS,
  fitChain,
  chainPathOf,
  flowPath,
  predictNext,
  sumOfFits,
  sumOfNext,
  walkedPaths,
} from './compare.js'
import {
  type CategorisedPath,
  type ChainsView,
  describeChains,
  describeSessions,
  testOrders,
} from './describe.js'
import { createLabeller } from '@plimsoll/labels'

/** What one fold says of chains, for one target. */
export interface FoldChains {
  /** Fits of each variant, by name, on the sessions held out; those of the learning curve name the number of training sessions. */
  readonly compared: ReadonlyMap<string, ChainFit>
  /** Next states that chains of order 1 to 3 predict of the sessions held out, by space and category. */
  readonly nextStates: readonly CategoryPrediction[]
  /** Of the first fold: what its chains say. */
  readonly described: readonly ChainsView[]
}

interface CategoryPrediction {
  readonly space: StateSpace
  readonly category: string
  readonly nextState: readonly NextState[]
}

export interface FoldChainsOptions {
  readonly corpus: Corpus
  readonly catalogue: Catalogue
  readonly training: readonly number[]
  /** The sessions that may be described: those of `training`, and those that are labelled as a whole alone. */
  readonly labelled: readonly number[]
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
  return { compared, nextStates: predictedNext(options, paths), described: describedIn(options) }
}

type PathsBySpace = ReadonlyMap<StateSpace, Record<'training' | 'test', PathOf>>

/** By space and category, each fitted to its own sessions. */
function predictedNext(options: FoldChainsOptions, paths: PathsBySpace): CategoryPrediction[] {
  const { corpus, training, test } = options
  const isOf = (category: string) => (n: number) =>
    category === 'aggregate' || corpus.recordings[n]?.blind.category === category
  return Array.from(paths, ([space, own]) =>
    ['aggregate', ...CATEGORIES].map((category): CategoryPrediction => {
      const fitted = training.filter(isOf(category)).map(own.training)
      const scored = test
        .filter((n) => isOf(category)(n) && corpus.recordings[n]?.truth.hasSteps)
        .map(own.test)
      return { space, category, nextState: predictNext(SPACE_SIZES[space], fitted, scored) }
    }),
  ).flat()
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
function pathsIn({ corpus, catalogue, flow }: FoldChainsOptions): PathsBySpace {
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

function describedIn(options: FoldChainsOptions): ChainsView[] {
  const { corpus, catalogue, labelled, flow, of, target } = options
  if (of === undefined) return []
  const labelOf = createLabeller(catalogue)
  const describeWalked = (name: 'paper5' | 'paper60', sessions: readonly number[], what: string) => {
    const space = spaceOf(name)
    const paths = sessions.flatMap((n) => {
      const { blind, truth } = corpus.recordings[n] ?? {}
      if (!blind || !truth) return []
      return [{ category: blind.category, path: pathAlong(walk(blind, labelOf, space), truth) }]
    })
    return describeSessions(paths, { space: name, target, of: what })
  }
  const harmed = ofHarmedSources(corpus, labelled)
  return [
    ...(flow ? [describedFlow(options, flow, of)] : []),
    describeWalked('paper5', labelled, of),
    ...(harmed.length < labelled.length
      ? [describeWalked('paper5', harmed, `${of}, of sources with violated sessions`)]
      : []),
    describeWalked('paper60', labelled, of),
  ]
}

/** Sources that are only assumed to be safe lower the rates of their categories. */
function ofHarmedSources({ recordings }: Corpus, sessions: readonly number[]): number[] {
  const sourceOf = (n: number) => recordings[n]?.about.source
  const harmed = new Set(sessions.filter((n) => recordings[n]?.truth.unsafe).map(sourceOf))
  return sessions.filter((n) => harmed.has(sourceOf(n)))
}

/** The chains of a fitted model; their order is tested on the sessions whose end is known. */
function describedFlow(
  { corpus, training, target }: FoldChainsOptions,
  { chains, trained }: FlowModel,
  of: string,
): ChainsView {
  const orders = ['aggregate', ...CATEGORIES].map((category) => {
    const paths = training.flatMap((n) => {
      const { blind, truth } = corpus.recordings[n] ?? {}
      const isOwn = truth?.hasSteps && (category === 'aggregate' || blind?.category === category)
      return isOwn ? [[flowPath(trained, n, truth)] as const] : []
    })
    return [category, testOrders(SPACE_SIZES.flow, paths)] as const
  })
  const tables = { aggregate: chains.aggregate, ...Object.fromEntries(chains.categories) }
  return describeChains(tables, { space: 'flow', target, of, orders: new Map(orders) })
}

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
  const nextStates = folds.flatMap((fold) => fold.nextStates)
  return {
    target,
    compared: Array.from(compared, ([name, fits]) =>
      figuresOf(
        name,
        fits.map(([, fit]) => fit),
      ),
    ),
    described: folds.flatMap(({ described }) =>
      // What is held out is predicted by the chains of all sources: the first view of each space.
      described.map((view, n) =>
        described.findIndex(({ space }) => space === view.space) === n
          ? withNextStates(view, nextStates)
          : view,
      ),
    ),
  }
}

/** A session that is described, and scored in its fold by what was fitted to the others. */
export interface FoldedPath extends CategorisedPath {
  readonly fold: number
}

/** Describes sessions, with the next states that chains fitted to the other folds predict. */
export function chainsOfSessions(
  sessions: readonly FoldedPath[],
  options: Pick<ChainsView, 'space' | 'target' | 'of'>,
): ChainsView {
  const space = spaceOf(options.space)
  const folds = [...new Set(sessions.map(({ fold }) => fold))]
  const predictions = ['aggregate', ...CATEGORIES].map((category): CategoryPrediction => {
    const own = sessions.filter((each) => category === 'aggregate' || each.category === category)
    const pathsWhere = (isOf: (each: FoldedPath) => boolean) =>
      own.filter(isOf).map(({ path }) => chainPathOf(path, space))
    const nextState = folds.map((fold) =>
      predictNext(
        space.size,
        pathsWhere((each) => each.fold !== fold),
        pathsWhere((each) => each.fold === fold),
      ),
    )
    return { space: options.space, category, nextState: sumOfNext(nextState) }
  })
  return withNextStates(describeSessions(sessions, options), predictions)
}

/** With what all folds predicted. */
const withNextStates = (view: ChainsView, predictions: readonly CategoryPrediction[]): ChainsView => ({
  ...view,
  categories: view.categories.map((chain) => {
    const own = predictions.filter(
      ({ space, category }) => space === view.space && category === chain.category,
    )
    return { ...chain, nextState: own.length > 0 ? sumOfNext(own.map(({ nextState }) => nextState)) : [] }
  }),
})

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
