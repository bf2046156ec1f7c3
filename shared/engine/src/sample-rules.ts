import type { Capability, Confidentiality, Reversibility } from '@plimsoll/contracts'
import { type StepLabels, SAFETY_STATES, stepLabelsOf } from './labels/safety-state.js'
import type { Chain, Rules, RulesCache, ToolRule } from './rules.js'
import { type SpecRule, NO_MEMORY_RULES, NO_TOOL_MEMORY, specRule } from './spec-rule.js'

/** Rules made by hand, for tests: the engine knows of no documents. */
export interface RulesOptions extends Partial<Omit<Rules, 'tool' | 'chain'>> {
  readonly tools?: Readonly<Record<string, SampleTool>>
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
    memory: NO_MEMORY_RULES,
    ...rest,
  }
}

/** A tool's rule of which only what matters is written. */
export type SampleTool = Partial<Omit<ToolRule, SpecTier>> & {
  readonly [K in SpecTier]?: readonly SampleSpec<K>[]
}
type SpecTier = 'blocklist' | 'mustlist' | 'allowlist' | 'confirmation'
export type SampleSpec<K extends SpecTier> = Partial<ToolRule[K][number]> & { readonly id: string }

function toolRule({
  blocklist = [],
  mustlist = [],
  allowlist = [],
  confirmation = [],
  ...rule
}: SampleTool): ToolRule {
  const verdicts = { blocklist: 'block', mustlist: 'block', confirmation: 'confirm' } as const
  const filled = (tier: keyof typeof verdicts, specs: readonly SampleSpec<'blocklist'>[]): SpecRule[] =>
    specs.map((given) => specRule({ message: given.id, verdict: verdicts[tier], source: tier, ...given }))
  return {
    labels: undefined,
    tags: 0,
    isNamed: blocklist.length + allowlist.length + confirmation.length > 0,
    blocklist: filled('blocklist', blocklist),
    mustlist: filled('mustlist', mustlist),
    allowlist: allowlist.map(({ lifts = new Set(), ...given }) => ({
      ...specRule({ message: '', verdict: 'allow', source: 'confirmation', ...given }),
      lifts,
    })),
    confirmation: filled('confirmation', confirmation),
    memory: NO_TOOL_MEMORY,
    ...rule,
  }
}

export const spec = (id: string, alternative?: string): SampleSpec<'blocklist'> => ({
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

export const rulesCacheOf = (rules: Rules, { pinned = true } = {}): RulesCache => ({
  active: rules,
  pinned: () => (pinned ? rules : undefined),
})
