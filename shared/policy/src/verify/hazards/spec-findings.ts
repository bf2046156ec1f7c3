import type { Spec } from '@plimsoll/contracts'
import { type Rules, type SessionState, owedObligations } from '@plimsoll/engine'
import { isConditional, isLeftOpen } from '../../specs/conditions.js'
import type { Place, Successor } from '../model/model.js'
import { patternOf } from '../../specs/walk.js'
import type { SpecFinding, SpecReport } from '../report.js'
import { search } from '../search.js'
import type { Setup } from '../setup.js'
import { matchOf } from './watches.js'

/** Ids of the specs whose obligations are open in `state`: each raises an alert when the session ends. */
export const owedSpecs = ({ memory }: SessionState, rules: Rules): string[] =>
  owedObligations(memory, rules.memory).map(({ spec }) => spec.id)

/** Limit of states for one search, which ends early as soon as the spec has had its effect. */
const STATES_MAX = 5_000

/**
 * Whether each spec ever has its effect. Each is checked together with the plain specs that block unconditionally. So an effect that never
 * occurs here never occurs at all; an effect that does occur may still be prevented by other specs with memory.
 */
export function verifySpecs(setup: Setup): { readonly specs: SpecReport[]; readonly states: number } {
  let states = 0
  const specs = setup.options.policy.specs.map((spec) => {
    const looked = findingOf(setup, spec)
    states += looked.states
    return { id: spec.id, tier: spec.tier, ...(looked.finding && { finding: looked.finding }) }
  })
  return { specs, states }
}

function findingOf(setup: Setup, spec: Spec): { readonly finding?: SpecFinding; readonly states: number } {
  if (isLeftOpen(spec)) return { states: 0 }
  const { specs } = setup.options.policy
  const beside = specs.filter(
    (other) =>
      !isConditional(other) &&
      (other.tier === 'blocklist' || (spec.tier === 'allowlist' && other.tier === 'confirmation')),
  )
  const model = setup.model({
    tracked: new Set([spec.id, ...beside.map(({ id }) => id)]),
    watched: [],
    approvals: true,
    prediction: spec.tier === 'allowlist' ? 'harshest' : 'mild',
  })
  const asked = asksOf(spec, (place) => owedSpecs(place.state, model.rules).includes(spec.id))
  const open = new Set(asked)
  const { states, depth } = search(model, {
    isFound: () => false,
    statesMax: Math.min(setup.statesMax, STATES_MAX),
    onTransition: (from, successor) => {
      for (const ask of open) if (ask.isShown(from, successor)) open.delete(ask)
      return open.size === 0
    },
  })
  const [first] = open
  if (!first) return { states }
  return { finding: depth === Infinity ? first.finding : 'bounded', states }
}

interface Ask {
  readonly finding: SpecFinding
  /** Whether the transition refutes the finding. */
  readonly isShown: (from: Place, successor: Successor) => boolean
}

function asksOf(spec: Spec, owes: (place: Place) => boolean): Ask[] {
  const { id } = spec
  if (spec.tier === 'allowlist')
    return [
      {
        finding: 'never_lifts',
        isShown: (_, { decision }) => has(decision, (reason) => reason.liftedBy === id),
      },
    ]
  if (spec.tier === 'mustlist' && spec.followedBy)
    return [
      { finding: 'never_speaks', isShown: (_, { place }) => place !== undefined && owes(place) },
      {
        finding: 'never_paid',
        isShown: (from, { place }) => owes(from) && place !== undefined && !owes(place),
      },
    ]
  const matches: Ask = {
    finding: 'never_speaks',
    isShown: (_, { decision }) => has(decision, ({ code }) => code === id),
  }
  if (spec.tier !== 'mustlist') return [matches]
  const own = patternOf(spec)
  const isOwn = ({ transition: move, ran, decision }: Successor) =>
    ran &&
    move.kind === 'propose' &&
    matchOf(own, move.input.seen) === 'yes' &&
    !has(decision, ({ code }) => code === id)
  return [matches, { finding: 'never_satisfied', isShown: (_, successor) => isOwn(successor) }]
}

type Decision = Successor['decision']
type Reason = NonNullable<Decision>['reasons'][number]

const has = (decision: Decision, isIt: (reason: Reason) => boolean): boolean =>
  decision?.reasons.some(isIt) === true
