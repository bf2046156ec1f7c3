import {
  type Order,
  type OrderModel,
  createOrderCounter,
  createOrderModel,
  orderHorizon,
  withoutDimension,
} from '@plimsoll/chains'
import {
  type Catalogue,
  type StateSpace,
  ESCALATIONS,
  EXPOSURES,
  FLOW_BUCKETS,
  LEVELS,
  REVERSIBILITIES,
  SPACE_SIZES,
  TAINTS,
} from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import {
  type Corpus,
  type FlowView,
  type RecordedTruth,
  type SessionPath,
  type Space,
  HORIZON,
  KAPPA,
  groupedBy,
  sessionStateOf,
  spaceOf,
} from '@plimsoll/fit'
import { pathAlong, walk } from '../baselines/chain.js'
import { areaOf } from '../metrics/group-figures.js'

/** How a chain that was fitted to some sessions predicts others: sums and weights, so that folds can be added up. */
export interface ChainFit {
  /** Transitions predicted. */
  readonly steps: number
  /** Sum of ln P(what came next), of `violated`, `ended` and going on: the same three whatever the states. */
  readonly logLikelihood: number
  /** Violated sessions that have a safe one beside them in their group. */
  readonly unsafe: number
  /** Of those, sum of the areas of their groups: the highest P(5) before the violating call. */
  readonly area: number
}

/** A session to predict. */
export interface PredictedPath {
  readonly path: ChainPath
  /** Within what sessions are ranked. */
  readonly group: string
}

/** Fits a chain to `training` and scores `test`. */
export function fitChain(
  variant: ChainVariant,
  training: Iterable<ChainPath>,
  test: readonly PredictedPath[],
): ChainFit {
  const { states, order } = variant
  const narrow = narrowing(variant)
  const counter = createOrderCounter(states, order)
  for (const path of training) counter.add(narrow(path))
  const model = createOrderModel(counter.counts, KAPPA)
  const risk = orderHorizon(model, HORIZON)
  let steps = 0
  let logLikelihood = 0
  const scored = test.map(({ path, group }) => {
    const reported = predict(model, risk, narrow(path))
    steps += path.length - 1
    logLikelihood += reported.logLikelihood
    return { group, score: reported.highest, unsafe: reported.violated }
  })
  return { steps, logLikelihood, ...areasOf(scored) }
}

/** How often the most probable next state was right. Ends are left out: agents stop for reasons of their own. */
export interface NextState {
  readonly order: Order
  /** Transitions to a state or to `violated`. */
  readonly transitions: number
  readonly correct: number
}

/** Fits chains of order 1 to 3 to `training`, and lets them predict `test`. Source: SafetyDrift §8.1. */
export function predictNext(
  states: number,
  training: readonly ChainPath[],
  test: readonly ChainPath[],
): NextState[] {
  return ORDERS.map((order) => {
    const counter = createOrderCounter(states, order)
    for (const path of training) counter.add(path)
    const model = createOrderModel(counter.counts, KAPPA)
    let transitions = 0
    let correct = 0
    for (const path of test) {
      let context = 0
      for (let i = 0; i + 1 < path.length; i++) {
        context = model.contexts.after(context, path[i] ?? 0)
        const to = path[i + 1] ?? 0
        if (to > states) continue
        transitions++
        if (likeliest(model.rowOf(context).subarray(0, states + 1)) === to) correct++
      }
    }
    return { order, transitions, correct }
  })
}

export const ORDERS: readonly Order[] = [1, 2, 3]

/** The first of the highest values. */
const likeliest = (row: Float64Array): number =>
  row.reduce((best, value, at) => (value > (row[best] ?? 0) ? at : best), 0)

/** Folds added up, by order. */
export const sumOfNext = (folds: readonly (readonly NextState[])[]): NextState[] =>
  ORDERS.map((order) => {
    const each = folds.flat().filter((one) => one.order === order)
    const sum = (key: 'transitions' | 'correct') => each.reduce((total, one) => total + one[key], 0)
    return { order, transitions: sum('transitions'), correct: sum('correct') }
  })

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

function predict(
  { states, contexts, rowOf }: OrderModel,
  risk: (context: number, h: number) => number,
  path: ArrayLike<number>,
) {
  let context = 0
  let logLikelihood = 0
  let highest = 0
  for (let i = 0; i + 1 < path.length; i++) {
    context = contexts.after(context, path[i] ?? 0)
    highest = Math.max(highest, risk(context, HORIZON))
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

/**
 * A session over a state space as `OrderCounter` takes it: the state before its first step, that after each step that ran and was no
 * violation, then S where it was violated, S + 1 where it ended.
 */
export type ChainPath = Uint8Array

/** By the names of tools alone, as the published method has it. */
export function walkedPaths(
  { recordings }: Corpus,
  catalogue: Catalogue,
  name: 'paper5' | 'paper60',
): (n: number) => ChainPath {
  const space = spaceOf(name)
  const labelOf = createLabeller(catalogue)
  return (n) => {
    const recording = recordings[n]
    if (!recording) throw new RangeError(`no session ${n}`)
    return chainPathOf(pathAlong(walk(recording.blind, labelOf, space), recording.truth), space)
  }
}

/** By what the session scorer says; see `FlowView`. */
export function flowPath(view: FlowView, n: number, { violatedAt, unexecuted }: RecordedTruth): ChainPath {
  const end = violatedAt ?? view.table.stepsOf(n)
  const after: number[] = []
  for (let i = 0; i < end; i++) if (!unexecuted.has(i)) after.push(sessionStateOf(view, n, i + 1))
  return pathOf(spaceOf('flow'), after, violatedAt !== undefined, sessionStateOf(view, n, 0))
}

/** A session's path without its posterior. */
export const chainPathOf = ({ arrivals, violated }: SessionPath, space: Space): ChainPath =>
  pathOf(space, violated ? arrivals.slice(0, -1) : arrivals, violated)

const pathOf = (
  { size, start }: Space,
  after: readonly number[],
  violated: boolean,
  from = start,
): ChainPath => Uint8Array.from([from, ...after, violated ? size : size + 1])

/** A chain that is compared with others: over which states, and how many of the last ones it looks at. */
export interface ChainVariant {
  readonly name: string
  readonly space: StateSpace
  readonly order: Order
  /** How many states there are. */
  readonly states: number
  /** Which of them each state of the space is; itself where it is left out. */
  readonly index?: Int32Array
}

/** The dimensions of the spaces that have several, the last the fastest. */
const DIMENSIONS = {
  paper60: [
    ['exposure', EXPOSURES.length],
    ['escalation', ESCALATIONS.length],
    ['reversibility', REVERSIBILITIES.length],
  ],
  flow: [
    ['level', LEVELS.length],
    ['taint', TAINTS.length],
    ['bucket', FLOW_BUCKETS],
  ],
} as const

const whole = (space: StateSpace, order: Order): ChainVariant => ({
  name: order === 1 ? space : `${space}, order ${order}`,
  space,
  order,
  states: SPACE_SIZES[space],
})

function without(space: keyof typeof DIMENSIONS): ChainVariant[] {
  const sizes = DIMENSIONS[space].map(([, size]) => size)
  return DIMENSIONS[space].map(([name], dimension) => ({
    name: `${space} without ${name}`,
    space,
    order: 1,
    ...withoutDimension(sizes, dimension),
  }))
}

/** Each space as it is, without each of its dimensions, and looking further back. */
export const VARIANTS: readonly ChainVariant[] = [
  whole('paper5', 1),
  whole('paper60', 1),
  ...without('paper60'),
  whole('paper60', 2),
  whole('paper60', 3),
  whole('flow', 1),
  ...without('flow'),
  whole('flow', 2),
  whole('flow', 3),
]
