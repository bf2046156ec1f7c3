import { createOrderCounter, createOrderModel, orderHorizon, type OrderModel } from '@plimsoll/chains'
import { AHEAD } from '../evaluation/forecasts.js'
import { groupedBy } from '../evaluation/grouped.js'
import { areaOf } from '../evaluation/scored.js'
import { KAPPA } from '../fit/fit.js'
import type { ChainPath } from './paths.js'
import type { ChainVariant } from './variants.js'

/** How a chain that was fitted to some sessions foretells others: sums and weights, so that folds can be added up. */
export interface ChainFit {
  /** Transitions foretold. */
  readonly steps: number
  /** Sum of ln P(what came next), of `violated`, `ended` and going on: the same three whatever the states. */
  readonly logLikelihood: number
  /** Violated sessions that have a safe one beside them in their group. */
  readonly unsafe: number
  /** Of those, sum of the areas of their groups: the highest P(5) before the violating call. */
  readonly area: number
}

/** A session that is foretold. */
export interface ForetoldPath {
  readonly path: ChainPath
  /** Within what sessions are ranked. */
  readonly group: string
}

/** Fits a chain to `training` and scores `test`. */
export function fitChain(
  variant: ChainVariant,
  training: Iterable<ChainPath>,
  test: readonly ForetoldPath[],
): ChainFit {
  const { states, order } = variant
  const narrow = narrowing(variant)
  const counter = createOrderCounter(states, order)
  for (const path of training) counter.add(narrow(path))
  const model = createOrderModel(counter.counts, KAPPA)
  const risk = orderHorizon(model, AHEAD)
  let steps = 0
  let logLikelihood = 0
  const scored = test.map(({ path, group }) => {
    const told = foretell(model, risk, narrow(path))
    steps += path.length - 1
    logLikelihood += told.logLikelihood
    return { group, score: told.highest, unsafe: told.violated }
  })
  return { steps, logLikelihood, ...areasOf(scored) }
}

/** Several folds as one. */
export const sumOfFits = (fits: readonly ChainFit[]): ChainFit => {
  const sum = (pick: (fit: ChainFit) => number) => fits.reduce((total, fit) => total + pick(fit), 0)
  return {
    steps: sum(({ steps }) => steps),
    logLikelihood: sum(({ logLikelihood }) => logLikelihood),
    unsafe: sum(({ unsafe }) => unsafe),
    area: sum(({ area }) => area),
  }
}

function narrowing({ index, states }: ChainVariant): (path: ChainPath) => ArrayLike<number> {
  if (!index) return (path) => path
  const size = index.length
  return (path) => Uint8Array.from(path, (s) => (s < size ? (index[s] ?? 0) : states + s - size))
}

function foretell(
  { states, contexts, rowOf }: OrderModel,
  risk: (context: number, h: number) => number,
  path: ArrayLike<number>,
) {
  let context = 0
  let logLikelihood = 0
  let highest = 0
  for (let i = 0; i + 1 < path.length; i++) {
    context = contexts.after(context, path[i] ?? 0)
    highest = Math.max(highest, risk(context, AHEAD))
    const row = rowOf(context)
    const [violated, ended] = [row[states] ?? 0, row[states + 1] ?? 0]
    const to = path[i + 1] ?? 0
    logLikelihood += Math.log(to === states ? violated : to === states + 1 ? ended : 1 - violated - ended)
  }
  return { logLikelihood, highest, violated: path[path.length - 1] === states }
}

function areasOf(scored: readonly { group: string; score: number; unsafe: boolean }[]) {
  let unsafe = 0
  let area = 0
  for (const members of groupedBy(scored, ({ group }) => group).values()) {
    const violated = members.filter((session) => session.unsafe).length
    if (violated === 0 || violated === members.length) continue
    unsafe += violated
    area += violated * areaOf(members)
  }
  return { unsafe, area }
}
