import type { LiftableSource, Policy, Spec, Verdict } from '@plimsoll/contracts'
import { isConditional } from '../../specs/conditions.js'
import { type StepInput, obligationsOf, pays, restricts } from '../model/inputs.js'
import { patternOf } from '../../specs/walk.js'
import type { Model, Place, Successor } from '../model/model.js'
import type { Prediction } from '../model/prediction.js'
import { maySend } from '../model/step-kinds.js'
import type { Transition } from '../model/transitions.js'
import { replay } from '../replay.js'
import type { Trace, WedgeReport } from '../report.js'
import { search } from '../search.js'
import type { ModelAsk, Setup } from '../setup.js'
import { windowMsOf } from './hazards.js'
import { matchOf } from './watches.js'

/**
 * Steps that can eventually run in every state, found without a search: only obligations restrict them, and an obligation eases once a step
 * that would meet it was blocked. An agent that proposes such a step sees it run, waits for it, or may then continue.
 */
export function alwaysOpen(
  policy: Policy,
  inputs: readonly StepInput[],
  prediction: Prediction,
): StepInput[] {
  const owing = obligationsOf(policy)
  const isEasing = (spec: Spec) =>
    spec.tier === 'mustlist' && spec.followedBy?.exit !== 'block' && inputs.some((input) => pays(spec, input))
  if (!owing.every(isEasing)) return []
  const others = policy.specs.filter((spec) => !owing.includes(spec))
  return inputs.filter(
    (input) =>
      !others.some((spec) => restricts(spec, input)) &&
      verdictsOn(policy, input, prediction).every(
        ([source, verdict]) => verdict !== 'block' || isLifted(policy, input, source),
      ),
  )
}

/** The verdicts that sources other than specs can give the step. */
function verdictsOn(policy: Policy, input: StepInput, prediction: Prediction): [LiftableSource, Verdict][] {
  const { line, integrity, irreversible = 'allow', hazard, forward } = policy
  const predicted: [LiftableSource, Verdict][] = [
    ...hazard.map((verdict): [LiftableSource, Verdict] => ['hazard', verdict]),
    ...forward.verdicts.map((verdict): [LiftableSource, Verdict] => ['forward', verdict]),
    ...(integrity ? Object.values(integrity) : []).map((verdict): [LiftableSource, Verdict] => [
      'integrity',
      verdict,
    ]),
    ['irreversible', irreversible],
  ]
  return [
    ['line', maySend(input.kind) ? line[input.evidence] : 'allow'],
    ...(input.kind.isLabelled ? [] : unlabelledOf(policy)),
    ...(prediction === 'harshest' ? predicted : []),
  ]
}

/** Either verdict, as arguments decide which of the two. */
const unlabelledOf = ({ unlabelled: { verdict, byName = verdict } }: Policy): [LiftableSource, Verdict][] => [
  ['unlabelled', verdict],
  ['unlabelled', byName],
]

const isLifted = ({ specs }: Policy, { seen }: StepInput, source: LiftableSource): boolean =>
  specs.some(
    (spec) =>
      spec.tier === 'allowlist' &&
      !isConditional(spec) &&
      spec.lifts.includes(source) &&
      matchOf(patternOf(spec), seen) === 'yes',
  )

/**
 * Whether some step can eventually run from every reachable state: at once, after an approval, after calls have completed, after time has
 * passed, or after a proposal was blocked. Tracks first only the specs that can restrict the least restricted steps, then all specs if that
 * does not suffice.
 */
export function verifyWedge(setup: Setup): WedgeReport {
  const { specs } = setup.options.policy
  const inputs = setup.model({ watched: [], approvals: true, isClosed: true }).inputs
  const owing = obligationsOf(setup.options.policy)
  const paying = inputs.filter((input) => owing.some((spec) => pays(spec, input)))
  const near = new Set(
    [...owing, ...specs.filter((spec) => paying.some((input) => restricts(spec, input)))].map(({ id }) => id),
  )
  const isHeldByNear = (input: StepInput) =>
    specs.every((spec) => near.has(spec.id) || !restricts(spec, input))
  const escapes = inputs.filter(isHeldByNear)
  let states = 0
  let open: readonly StepInput[] = []
  for (const prediction of ['mild', 'harshest'] as const) {
    open = alwaysOpen(setup.options.policy, inputs, prediction)
    if (open.length > 0) continue
    const ways: Way[] = escapes.length > 0 ? [{ tracked: near, isEscape: isHeldByNear }] : []
    const found = explore(setup, [...ways, { isEscape: () => true }], prediction)
    states += found.states
    if (found.kind === 'bounded') return { result: 'bounded', states }
    if (found.kind === 'stuck') {
      const result = prediction === 'mild' ? 'specs' : 'prediction'
      return { result, states, ...(found.trace && { trace: found.trace }) }
    }
  }
  return { result: 'none', states, always: [...new Set(open.map(({ kind }) => kind.tool))] }
}

interface Way {
  /** Default: every spec. */
  readonly tracked?: ReadonlySet<string>
  /** Whether only tracked specs can restrict the step. */
  readonly isEscape: (input: StepInput) => boolean
}

type Explored =
  | { readonly kind: 'free' | 'bounded'; readonly states: number }
  | { readonly kind: 'stuck'; readonly states: number; readonly trace: Trace | undefined }

function explore(setup: Setup, ways: readonly Way[], prediction: Prediction): Explored {
  let states = 0
  for (const [i, way] of ways.entries()) {
    const isLast = i === ways.length - 1
    const ask: ModelAsk = {
      watched: [],
      approvals: true,
      isClosed: isLast,
      ...(way.tracked && { tracked: way.tracked }),
    }
    const graph = graphOf(setup, ask, prediction, way)
    states += graph.states
    if (!graph.isWhole) {
      if (isLast) return { kind: 'bounded', states }
      continue
    }
    const stuck = graph.stuck()
    if (!stuck) return { kind: 'free', states }
    if (isLast) return { kind: 'stuck', states, trace: stuck.length > 0 ? traceOf(setup, stuck) : [] }
  }
  return { kind: 'bounded', states }
}

interface Node {
  readonly key: string
  /** Keys of the states that an agent reaches by waiting or by being blocked. */
  readonly next: string[]
  isFree: boolean
}

/** Every reachable state without prediction, and how a step can run from it with the given prediction. */
function graphOf(setup: Setup, ask: ModelAsk, prediction: Prediction, { isEscape }: Way) {
  const reaching = setup.model(ask)
  const hasFleets = setup.options.policy.specs.some((spec) => 'fleet' in spec && spec.fleet !== undefined)
  const escaping =
    prediction === 'mild' && !hasFleets ? reaching : setup.model({ ...ask, prediction, isFleetFull: true })
  const nodes = new Map<string, Node>()
  const cameBy = new Map<string, Predecessor>()
  const see = (place: Place) => {
    const key = reaching.keyOf(place)
    const known = nodes.get(key)
    if (known) return known
    const node: Node = { key, next: [], isFree: place.state.ended }
    nodes.set(key, node)
    if (!node.isFree) lookAhead(escaping, place, node, isEscape)
    return node
  }
  see(reaching.start)
  const { states, depth } = search(reaching, {
    isFound: () => false,
    statesMax: setup.statesMax,
    onTransition: (from, { place, transition: move }) => {
      if (!place) return false
      const key = reaching.keyOf(place)
      if (!nodes.has(key)) cameBy.set(key, { from: reaching.keyOf(from), move })
      see(place)
      return false
    },
  })
  return { states, isWhole: depth === Infinity, stuck: () => deadEndAt(nodes, cameBy) }
}

interface Predecessor {
  readonly from: string
  readonly move: Transition
}

function lookAhead(model: Model, place: Place, node: Node, isEscape: (input: StepInput) => boolean): void {
  for (const successor of model.successors(place)) {
    if (successor.transition.kind === 'propose' && !isEscape(successor.transition.input)) continue
    if (isRunnable(successor)) {
      node.isFree = true
      return
    }
    if (successor.place && successor.transition.kind !== 'end' && !isForced(successor.transition))
      node.next.push(model.keyOf(successor.place))
  }
}

const isRunnable = ({ ran, decision }: Successor): boolean => ran || decision?.verdict === 'confirm'

/** Transitions that no agent can cause by itself. */
const isForced = (move: Transition): boolean => move.kind === 'propose' && move.stopped === true

/** The shortest path to a state from which no free state is reachable. */
function deadEndAt(
  nodes: ReadonlyMap<string, Node>,
  cameBy: ReadonlyMap<string, Predecessor>,
): readonly Transition[] | undefined {
  let isChanging = true
  while (isChanging) {
    isChanging = false
    for (const node of nodes.values())
      if (!node.isFree && node.next.some((key) => nodes.get(key)?.isFree === true))
        isChanging = node.isFree = true
  }
  for (const node of nodes.values())
    if (!node.isFree) {
      const transitions: Transition[] = []
      for (let came = cameBy.get(node.key); came; came = cameBy.get(came.from)) transitions.unshift(came.move)
      return transitions
    }
  return undefined
}

function traceOf(setup: Setup, transitions: readonly Transition[]): Trace | undefined {
  const windowMs = windowMsOf(setup.options.policy)
  const { trace, watches } = replay(transitions, {
    rules: setup.rules('mild'),
    facts: setup.facts,
    watches: [],
    approvals: true,
    windowMs,
  })
  return watches ? trace : undefined
}
