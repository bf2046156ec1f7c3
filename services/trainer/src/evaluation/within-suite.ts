import { areaUnderCurve } from '@plimsoll/chains'
import type { StateSpace } from '@plimsoll/contracts'
import type { Labeller } from '@plimsoll/labels'
import { HORIZON, KAPPA, createEstimator } from '../fit/fit.js'
import { createTally, proposedRisk, tablesOf } from '../fit/tally.js'
import { type SessionPath, createPathFinder } from '../sessions/session-path.js'
import { type Space, spaceOf } from '../sessions/space.js'
import { type Trace, foldOf } from '../traces/trace.js'

/** How well a chain tells the violated sessions of one suite from its safe ones. */
export interface SuiteFigures {
  readonly suite: string
  readonly traces: number
  readonly unsafe: number
  /** Mean over the folds, weighted by their violated sessions. */
  readonly auc: number
}

export interface WithinSuiteOptions {
  readonly traces: AsyncIterable<Trace>
  readonly labelOf: Labeller
  readonly space: StateSpace
}

const FOLDS = [0, 1, 2, 3, 4] as const

interface Member {
  readonly path: SessionPath
  readonly fold: number
}

/**
 * Cross-validates the plain chain over unseen attacks, a chain a suite, observed target, horizon 5: the score of a session is its
 * highest P(horizon) at a proposal up to and including the violating one. Source: the README beside the recordings. Keeps the paths.
 */
export async function withinSuite({
  traces,
  labelOf,
  space: name,
}: WithinSuiteOptions): Promise<SuiteFigures[]> {
  const space = spaceOf(name)
  const pathOf = createPathFinder(labelOf, space, 'observed')
  const suites = new Map<string, Member[]>()
  for await (const trace of traces) {
    const path = pathOf(trace)
    const fold = foldOf(trace)
    if ('excluded' in path || fold === undefined) continue
    const members = suites.get(trace.suite) ?? []
    members.push({ path, fold })
    suites.set(trace.suite, members)
  }
  return Array.from(suites, ([suite, members]) => figuresOf(suite, members, space)).sort((a, b) =>
    a.suite < b.suite ? -1 : 1,
  )
}

function figuresOf(suite: string, members: readonly Member[], space: Space): SuiteFigures {
  let weighted = 0
  let weight = 0
  for (const fold of FOLDS) {
    const risk = fitRisk(
      members.filter((member) => member.fold !== fold),
      space,
    )
    const scored = members.filter((member) => member.fold === fold).map(({ path }) => scoreOf(path, risk))
    const unsafe = scored.filter((session) => session.unsafe).length
    if (unsafe === 0 || unsafe === scored.length) continue
    const scores = scored.map(({ score }) => score)
    const labels = scored.map((session) => (session.unsafe ? 1 : 0))
    weighted += unsafe * areaUnderCurve(scores, labels)
    weight += unsafe
  }
  const unsafe = members.filter(({ path }) => path.violated).length
  return { suite, traces: members.length, unsafe, auc: weighted / weight }
}

function fitRisk(members: readonly Member[], space: Space): readonly number[] {
  const { add, tally } = createTally(space.size, space.start)
  for (const { path } of members) add(path)
  const estimate = createEstimator(space, 'observed', KAPPA).aggregate(tally.counts)
  return proposedRisk(tablesOf(estimate, tally, HORIZON), HORIZON)
}

function scoreOf({ arrivals, violated }: SessionPath, risk: readonly number[]) {
  return { score: arrivals.reduce((highest, s) => Math.max(highest, risk[s] ?? 0), 0), unsafe: violated }
}
