import type { Policy, Run, Spec, StepPattern } from '@plimsoll/contracts'
import { type Facts, type Rules, NO_FACTS } from '@plimsoll/engine'
import { compileRules } from '../compile/rules.js'
import { patternOf, patternsOfRun, patternsOfSpec } from '../specs/walk.js'
import { type HazardWatch, type Reading, createHazardWatch } from './hazards/watches.js'
import { raisablesOfRun, raisablesOfSpec } from './model/claims.js'
import { type StepInput, coversAllInputs, inputsOf, pays } from './model/inputs.js'
import { type Model, createModel } from './model/model.js'
import {
  type Prediction,
  atItsHarshest,
  atItsMildest,
  constantBundle,
  withStubs,
} from './model/prediction.js'
import { stepKinds } from './model/step-kinds.js'
import { remembering } from './model/transitions.js'
import type { Claims, VerifyOptions } from './report.js'

/** A watched run, and how unknown matches count for it. */
export interface Watched {
  readonly run: Run
  readonly reading: Reading
}

export interface ModelAsk {
  /** Ids of the specs that are tracked exactly; other restricting specs may give any verdict. Default: all. */
  readonly tracked?: ReadonlySet<string>
  readonly watched: readonly Watched[]
  readonly prediction?: Prediction
  /** Whether the fleet is unknown, so that each fleet limit matches. Default: no other session has run anything. */
  readonly isFleetFull?: boolean
  readonly approvals: boolean
  readonly claims?: Claims
  /** Whether to drop the policy: no specs, no line. */
  readonly isOff?: boolean
  /** Whether no step is blocked by specs that are not tracked. */
  readonly isClosed?: boolean
  /** The steps that are proposed. Default: every kind. */
  readonly only?: (input: StepInput) => boolean
}

/** The data that the searches of one verification share. */
export interface Setup {
  readonly options: VerifyOptions
  readonly statesMax: number
  readonly model: (ask: ModelAsk) => Model
  readonly watches: (watched: readonly Watched[]) => readonly HazardWatch[]
  /** The rules of the whole policy, with prediction at its mildest or harshest. */
  readonly rules: (prediction: Prediction) => Rules
  /** The most permissive facts: no other session has run anything. */
  readonly facts: Facts
  /** The most kinds of steps that a model distinguished. */
  readonly kinds: () => number
}

const STATES_MAX = 200_000

export function createSetup(options: VerifyOptions): Setup {
  const {
    policy,
    catalogue,
    depth,
    states = STATES_MAX,
    claims: allowed = 'results',
    failOpen = [],
  } = options
  const { declassifiers = [], specs } = policy
  /** The patterns that distinguish steps for a spec, including its flow's declassifiers. */
  const patternsIn = (spec: Spec): StepPattern[] => {
    const named = 'flow' in spec ? spec.flow?.declassifiers : undefined
    const lowering = declassifiers.filter(({ id }) => named?.includes(id)).map(({ step }) => step)
    return [...patternsOfSpec(spec), ...lowering].map(patternOf)
  }
  const allPatterns = [...specs.flatMap(patternsIn), ...runsOf(policy).flatMap(patternsOfRun)]
  const facts = quietFleet(specs)
  const compiled = new Map<string, Rules>()
  let kindsMax = 0

  const whole = compileRules({ bundle: constantBundle('mild'), policy, catalogue })
  const isNamed = (tool: string) => whole.tool(tool).isNamed

  const rulesOf = (of: Policy, prediction: Prediction): Rules => {
    const key = `${prediction} ${of.name} ${of.specs.map(({ id }) => id).join(' ')}`
    const known = compiled.get(key)
    if (known) return known
    const asked = prediction === 'mild' ? atItsMildest(of) : atItsHarshest(of)
    const rules = withStubs(
      compileRules({ bundle: constantBundle(prediction), policy: asked, catalogue }),
      asked,
      isNamed,
    )
    compiled.set(key, rules)
    return rules
  }

  const model = (ask: ModelAsk): Model => {
    const { tracked, watched, prediction = 'mild', claims = allowed, only = () => true } = ask
    const of = ask.isOff ? withoutPolicy(policy) : subPolicy(policy, tracked)
    const patterns = distinct([
      ...of.specs.flatMap(patternsIn),
      ...watched.flatMap(({ run }) => patternsOfRun(run)),
    ])
    const raisables = distinct([
      ...of.specs.flatMap(raisablesOfSpec),
      ...watched.flatMap(({ run }) => raisablesOfRun(run)),
    ])
    const reportsLabels = of.specs.some((spec) => 'flow' in spec && spec.flow !== undefined)
    const kinds = stepKinds({
      policy,
      catalogue,
      claims,
      patterns,
      allPatterns,
      raisables,
      reportsLabels,
      isNamed,
    })
    kindsMax = Math.max(kindsMax, kinds.all.length)
    const byValues = of.specs.flatMap((spec) =>
      'flow' in spec && spec.flow?.by === 'values' ? [spec.flow.to] : [],
    )
    return createModel({
      rules: rulesOf(of, prediction),
      facts: ask.isFleetFull ? NO_FACTS : facts,
      kinds,
      inputs: kinds.all.flatMap((kind) => inputsOf(kind, { patterns, byValues, line: of.line })).filter(only),
      isWhole: kinds.isWhole && kinds.all.every((kind) => coversAllInputs(kind, patterns)),
      watches: watchesOf(watched),
      approvals: ask.approvals,
      blockCounts: remembering(
        (input) => input,
        (input) => blockCountsIn(of, input),
      ),
      isClosed: ask.isClosed === true,
      failOpen: ask.isClosed ? [] : failOpen,
      // Runs of any length can only be searched with the abstraction.
      isExact: depth !== undefined && watched.length > 0,
    })
  }

  return {
    options,
    statesMax: states,
    model,
    watches: watchesOf,
    rules: (prediction) => rulesOf(policy, prediction),
    facts,
    kinds: () => kindsMax,
  }
}

const quietFleet = (specs: Policy['specs']): Facts => ({
  ...NO_FACTS,
  readings: Object.fromEntries(
    specs.flatMap((spec) => ('fleet' in spec && spec.fleet ? [[`spec:${spec.id}`, 0]] : [])),
  ),
})

/** Blocking a step has an effect only if it would have met an obligation, or counts as a proposal. */
const blockCountsIn = ({ specs }: Policy, input: StepInput): boolean =>
  specs.some((spec) => spec.counts === 'proposals' || pays(spec, input))

const watchesOf = (watched: readonly Watched[]): HazardWatch[] =>
  watched.map(({ run, reading }) => createHazardWatch(run, reading))

const runsOf = ({ analysis }: Policy): Run[] =>
  [...(analysis?.hazards ?? []), ...(analysis?.goals ?? [])].flatMap(({ reached }) =>
    reached ? [reached] : [],
  )

/** `policy` without the restricting specs that are not tracked; specs that lift restrictions are always kept. */
function subPolicy(policy: Policy, tracked: ReadonlySet<string> | undefined): Policy {
  if (!tracked) return policy
  return { ...policy, specs: policy.specs.filter(({ id, tier }) => tier === 'allowlist' || tracked.has(id)) }
}

/** No specs, no line, and unlabelled tools are allowed. */
const withoutPolicy = (policy: Policy): Policy => ({
  ...policy,
  name: 'off',
  specs: [],
  line: { present: 'allow', absent: 'allow', unknown: 'allow' },
  integrity: undefined,
  irreversible: undefined,
  unlabelled: { ...policy.unlabelled, verdict: 'allow' },
})

const distinct = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
]
