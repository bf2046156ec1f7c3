import type { SpecOf, ConditionsOf, Analysis, Policy, StepPattern } from '@plimsoll/contracts'
import { allHandled } from '../specs/conditions.js'
import { patternsOfRun } from '../specs/walk.js'
import { verifyHazard, windowMsOf } from './hazards/hazards.js'
import { verifySpecs } from './hazards/spec-findings.js'
import { matchOf } from './hazards/watches.js'
import { verifyWedge } from './hazards/wedge.js'
import type { StepInput } from './model/inputs.js'
import type { Prediction } from './model/prediction.js'
import { replay } from './replay.js'
import type { GoalReport, GoalResult, Trace, VerificationReport, VerifyOptions } from './report.js'
import { search, transitionsTo } from './search.js'
import { type Setup, type Watched, createSetup } from './setup.js'

type Goal = NonNullable<Analysis['goals']>[number]

interface Sought {
  readonly result: GoalResult
  readonly bound?: number
  readonly trace?: Trace
}

/** Looks for a run that reaches the goal and no hazard under the whole policy: without prediction, and with it at its harshest. */
export function verifyGoal(setup: Setup, goal: Goal): GoalReport {
  let states = 0
  const count = (more: number) => (states += more)
  const mild = seekGoal(setup, goal, 'mild', count)
  const harshest = mild.trace ? seekGoal(setup, goal, 'harshest', count).result : mild.result
  return { id: goal.id, text: goal.text, ...mild, harshest, states }
}

/** Prefers runs without approvals, and searches first with only the steps of the goal and those that specs ask for. */
function seekGoal(setup: Setup, goal: Goal, prediction: Prediction, count: (states: number) => void): Sought {
  const wanted = [...patternsOfRun(goal.reached), ...askedFor(setup.options.policy)]
  const only = ({ seen }: StepInput) => wanted.some((pattern) => matchOf(pattern, seen) !== 'no')
  const find = (approvals: boolean, near: boolean, statesMax: number) =>
    seek(setup, goal, { prediction, approvals, statesMax, ...(near && { only }) }, count)
  const some = Math.min(setup.statesMax, STATES_MAX)
  const near = find(false, true, some)
  if (near.trace) return { ...near, result: 'reachable' }
  const asked = find(true, true, some)
  // The near search needs an approval: a run with other steps may need none.
  const far = find(false, false, asked.trace ? some : setup.statesMax)
  if (far.trace) return { ...far, result: 'reachable' }
  const found = asked.trace ? asked : find(true, false, setup.statesMax)
  return found.trace ? { ...found, result: 'by_approval' } : found
}

/** Limit of states for a search that may find nothing. */
const STATES_MAX = 2_000

/** Steps that specs require to have completed without an error. */
const askedFor = ({ specs, declassifiers = [] }: Policy): StepPattern[] => [
  ...declassifiers.map(({ step }) => step),
  ...specs.flatMap((spec) => {
    if (spec.tier === 'mustlist') {
      const { requires, followedBy, ...others }: ConditionsOf<SpecOf<'mustlist'>> = spec
      allHandled(others)
      return [requires, followedBy?.step].filter((pattern) => pattern !== undefined)
    }
    const { before, between, after: _, ...rest }: ConditionsOf<SpecOf<'blocklist'>> = spec
    const { flow: _flow, atMost: _atMost, sum: _sum, distinct: _distinct, fleet: _fleet, ...others } = rest
    allHandled(others)
    return [before, between?.to].filter((pattern) => pattern !== undefined)
  }),
]

interface Ask {
  readonly prediction: Prediction
  readonly approvals: boolean
  readonly statesMax: number
  readonly only?: (input: StepInput) => boolean
}

/**
 * All specs are tracked, so a run is real except for sums, counts and windows that are left open: therefore it is replayed in a real session.
 * Clients claim nothing beyond the catalogue, because a goal must be reachable with the tools as they are.
 */
function seek(setup: Setup, { reached }: Goal, ask: Ask, count: (states: number) => void): Sought {
  const { prediction, approvals, statesMax } = ask
  const { policy, depth } = setup.options
  const hazards = (policy.analysis?.hazards ?? []).flatMap(({ reached: run }) => (run ? [run] : []))
  const watched: Watched[] = [
    { run: reached, reading: 'goal' },
    ...hazards.map((run) => ({ run, reading: 'hazard' as const })),
  ]
  const watches = setup.watches(watched)
  const isReached = (at: readonly number[]) => watches[0]?.isReached(at[0] ?? 0) === true
  const isHazard = (at: readonly number[]) =>
    at.some((each, i) => i > 0 && watches[i]?.isReached(each) === true)
  const model = setup.model({ ...ask, watched, claims: 'none', isClosed: true })
  const {
    found,
    states,
    depth: looked,
  } = search(model, {
    isFound: ({ watches: at }) => isReached(at) && !isHazard(at),
    isAvoided: ({ watches: at }) => isHazard(at),
    statesMax,
    depthMax: depth,
  })
  count(states)
  if (!found) return looked === Infinity ? { result: 'unreachable' } : { result: 'bounded', bound: looked }
  const rules = setup.rules(prediction)
  const replayed = replay(transitionsTo(found), {
    rules,
    facts: setup.facts,
    watches: watches,
    approvals,
    windowMs: windowMsOf(policy),
  })
  const isReal = replayed.watches !== undefined && isReached(replayed.watches) && !isHazard(replayed.watches)
  return isReal
    ? { result: 'reachable', trace: replayed.trace }
    : { result: 'bounded', bound: found.depth - 1 }
}

/**
 * Explores a policy and the tools of a catalogue with the engine's own `step`: whether the policy's hazards and goals can be reached, and
 * whether an agent can get stuck. Throws `document_invalid` if the policy cannot be compiled.
 *
 * @example verifyPolicy({ policy, catalogue }).hazards.every(({ result }) => result === 'proved')
 */
export function verifyPolicy(options: VerifyOptions): VerificationReport {
  const setup = createSetup(options)
  const { policy, catalogue, depth, claims = 'results', failOpen = [] } = options
  const hazards = (policy.analysis?.hazards ?? []).map((hazard) => verifyHazard(setup, hazard))
  const goals = (policy.analysis?.goals ?? []).map((goal) => verifyGoal(setup, goal))
  const wedge = verifyWedge(setup)
  const specs = verifySpecs(setup)
  const sum = (reports: readonly { readonly states: number }[]) =>
    reports.reduce((all, { states }) => all + states, 0)
  return {
    policy: policy.name,
    catalogue: catalogue.name,
    ...(depth !== undefined && { depth }),
    claims,
    failOpen,
    hazards,
    goals,
    wedge,
    specs: specs.specs,
    kinds: setup.kinds(),
    states: sum(hazards) + sum(goals) + wedge.states + specs.states,
  }
}
