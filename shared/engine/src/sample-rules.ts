import type { Capability, Confidentiality, Reversibility } from '@plimsoll/contracts'
import type { Chain, RuleBook, Rules, SpecRule, ToolRule } from './rules.js'
import { SAFETY_STATES, stepLabelsOf, type StepLabels } from './safety-state.js'

/** Rules made by hand, for tests: the engine knows of no documents. */
export interface RulesOptions extends Partial<Omit<Rules, 'tool' | 'chain'>> {
  readonly tools?: Readonly<Record<string, Partial<ToolRule>>>
  readonly chain?: Chain
}

const labels = (capability: Capability, reversibility: Reversibility, confidentiality?: Confidentiality) =>
  stepLabelsOf({ capability, reversibility, ...(confidentiality && { confidentiality }) })

/** What the sample tools are. `mystery` is in nobody's list. */
export const SAMPLE_TOOLS = {
  read_public: labels('read', 'reversible', 'public'),
  read_file: labels('read', 'reversible', 'internal'),
  read_secret: labels('read', 'reversible', 'sensitive'),
  read_keys: labels('read', 'reversible', 'credentials'),
  write_file: labels('write', 'partial'),
  run_code: labels('execute', 'partial'),
  fetch_page: { ...labels('network', 'reversible', 'public'), untrusted: true },
  send_email: labels('network', 'irreversible'),
} as const satisfies Record<string, StepLabels>

const UNLABELLED = labels('execute', 'partial', 'internal')

export const PINS = { bundle: 'b'.repeat(32), policy: 'p'.repeat(32), catalogue: 'c'.repeat(32) }

export function sampleRules({ tools = {}, chain = sampleChain(), ...rest }: RulesOptions = {}): Rules {
  const rules = new Map<string, ToolRule>(
    Object.entries(SAMPLE_TOOLS).map(([name, known]) => [name, toolRule({ labels: known })]),
  )
  for (const [name, rule] of Object.entries(tools))
    rules.set(name, toolRule({ labels: rules.get(name)?.labels, ...rule }))
  const aggregate = { ...chain, name: 'aggregate' }
  return {
    versions: PINS,
    meaning: 'paper60',
    tool: (name) => rules.get(name) ?? toolRule({}),
    chain: (category) => (category === chain.name ? chain : aggregate),
    horizon: 5,
    line: { present: 'block', absent: 'allow', unknown: 'confirm' },
    hazard: ['warn', 'confirm', 'block'],
    forward: ['allow', 'warn', 'confirm'],
    hysteresis: 0.05,
    unlabelled: { verdict: 'confirm', labels: UNLABELLED },
    approvalTtlMs: 60_000,
    ...rest,
  }
}

const toolRule = (rule: Partial<ToolRule>): ToolRule => ({
  labels: undefined,
  blocklist: [],
  allowlist: [],
  confirmation: [],
  ...rule,
})

export const spec = (id: string, alternative?: string): SpecRule => ({
  id,
  message: `because of ${id}`,
  requirements: [`R-${id}`],
  ...(alternative !== undefined && { alternative }),
})

/** A `paper60` chain of the category `data` in which hazard and probability are given by the state; 0 where they are not. */
export function sampleChain(
  of: { hazard?: (s: number) => number; probability?: (s: number) => number } = {},
): Chain {
  const { hazard = () => 0, probability = () => 0 } = of
  const states = Array.from({ length: SAFETY_STATES }, (_, s) => s)
  return {
    name: 'data',
    space: 'paper60',
    target: 'observed',
    hazard: Float64Array.from(states, hazard),
    probability: Float64Array.from(states, probability),
    survived: new Float64Array(SAFETY_STATES),
    ahead: new Float64Array(SAFETY_STATES),
    stepsToViolation: states.map((s) => (s === 0 ? null : 3)),
    hazardThresholds: Float64Array.of(0.2, 0.4, 0.6),
    forwardThresholds: Float64Array.of(0.3, 0.5, 0.7),
    surprise: new Float64Array(SAFETY_STATES * SAFETY_STATES),
    entropy: new Float64Array(SAFETY_STATES),
    buckets: new Float64Array(),
  }
}

export const bookOf = (rules: Rules, { pinned = true } = {}): RuleBook => ({
  active: rules,
  pinned: () => (pinned ? rules : undefined),
})
