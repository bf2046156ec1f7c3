import { CAPABILITIES, CONFIDENTIALITIES, REVERSIBILITIES, TRUSTS, VERDICTS } from '@plimsoll/contracts'
import type { ApprovalTerms, Bundle, Catalogue, ChainTables, Policy, ToolLabels } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import { compileRules, type Documents } from '@plimsoll/policy'
import type { Random } from './random.js'

/** Random documents and their compiled rules. */
export interface World {
  readonly documents: Documents
  readonly rules: Rules
}

export const TOOLS = [
  'read_a',
  'read_b',
  'read_c',
  'write_a',
  'run_a',
  'send_a',
  'send_b',
  'fetch_a',
  '?odd*',
] as const
const PATTERNS = [
  '*',
  'read_*',
  '*_a',
  'send_*',
  'write_a',
  'run_*',
  '*odd*',
  'fetch_a',
  'send_b',
  'x',
] as const
const TIERS = ['blocklist', 'confirmation', 'confirmation', 'allowlist', 'allowlist'] as const
const HORIZON_MAX = 3

export function randomWorld(random: Random): World {
  const bundle = randomBundle(random)
  // In some worlds nothing is irreversible and only specs and unlabelled tools ask: there approvals for the session are permitted.
  const isPlain = random.chance(0.3)
  const documents = {
    bundle,
    policy: randomPolicy(random, isPlain),
    catalogue: randomCatalogue(random, isPlain),
  }
  return { documents, rules: compileRules(documents) }
}

export function randomLabels(random: Random): ToolLabels {
  return {
    capability: random.pick(CAPABILITIES),
    reversibility: random.pick(REVERSIBILITIES),
    ...(random.chance(0.7) && { confidentiality: random.pick(CONFIDENTIALITIES) }),
    ...(random.chance(0.5) && { trust: random.pick(TRUSTS) }),
  }
}

function randomBundle(random: Random): Bundle {
  const space = random.pick(['paper5', 'paper60'] as const)
  const size = space === 'paper5' ? 5 : 60
  return {
    schema: 1,
    kind: 'plimsoll.bundle',
    name: 'random',
    space,
    target: 'observed',
    horizon: 1 + random.below(HORIZON_MAX),
    horizonMax: HORIZON_MAX,
    aggregate: randomChain(random, size),
    categories: { data: randomChain(random, size) },
    origin: {},
  }
}

function randomChain(random: Random, size: number): ChainTables {
  const values = () => Array.from({ length: size }, () => (random.chance(0.6) ? 0 : random.next() ** 3))
  const ascending = (): number[] => [random.next(), random.next(), random.next()].sort((a, b) => a - b)
  return {
    traces: 1,
    transitions: 1,
    violations: 0,
    hazard: values(),
    forward: [Array.from({ length: size }, () => 0), ...Array.from({ length: HORIZON_MAX }, values)],
    stepsToViolation: Array.from({ length: size }, () => (random.chance(0.5) ? null : random.below(9))),
    counts: [],
    thresholds: { hazard: ascending(), forward: ascending() },
  }
}

function randomPolicy(random: Random, isPlain: boolean): Policy {
  const verdict = () => (isPlain ? 'allow' : random.pick(VERDICTS))
  return {
    schema: 1,
    kind: 'plimsoll.policy',
    name: 'random',
    specs: Array.from({ length: random.below(5) }, (_, i) =>
      randomSpec(random, `spec-${i}`, isPlain ? 'confirmation' : random.pick(TIERS)),
    ),
    line: { present: verdict(), absent: verdict(), unknown: verdict() },
    ...(random.chance(0.7) && {
      integrity: { untrusted: verdict(), instructed: verdict(), irreversible: verdict() },
    }),
    ...(random.chance(0.7) && { irreversible: verdict() }),
    hazard: [verdict(), verdict(), verdict()],
    forward: { verdicts: [verdict(), verdict(), verdict()], hysteresis: random.pick([0, 0.05, 0.5]) },
    unlabelled: { verdict: random.pick(VERDICTS), labels: randomLabels(random), ...randomTerms(random) },
    approvals: {
      ttlSeconds: random.pick([1, 60]),
      ...(random.chance(0.7) && { sameCall: { seconds: random.pick([1, 600]) } }),
    },
  }
}

/** Mostly permits approvals for the session. */
function randomTerms(random: Random): { readonly approval?: ApprovalTerms } {
  if (random.chance(0.15)) return {}
  const reach = random.below(4)
  const approval: ApprovalTerms = {
    scopes: (['once', 'session', 'always'] as const).slice(0, [1, 2, 2, 3][reach]),
    ...(reach === 3 && { days: 1 + random.below(90) }),
    ...(random.chance(0.5) && { arguments: random.pick(['same', 'any']) }),
    seconds: random.pick([1, 60, 3600]),
  }
  return { approval }
}

function randomSpec(random: Random, id: string, tier: (typeof TIERS)[number]): Policy['specs'][number] {
  const base = { id, tools: [random.pick(PATTERNS)] }
  const wait = random.chance(0.5) && { alternative: 'wait' }
  if (tier === 'confirmation') return { ...base, tier, ...wait, ...randomTerms(random) }
  if (tier !== 'allowlist') return { ...base, tier, ...wait }
  const lifts = (
    ['line', 'integrity', 'irreversible', 'hazard', 'forward', 'confirmation', 'unlabelled'] as const
  ).filter(() => random.chance(0.5))
  return { ...base, tier, lifts: lifts.length > 0 ? lifts : ['line'] }
}

function randomCatalogue(random: Random, isPlain: boolean): Catalogue {
  const tools = TOOLS.filter(() => random.chance(0.75)).map((tool) => ({
    tools: [tool.replace('?odd*', '*odd*')],
    labels: {
      ...randomLabels(random),
      ...(isPlain && { reversibility: random.pick(['reversible', 'partial'] as const) }),
    },
    ...(!isPlain && random.chance(0.3) && { least: randomLabels(random) }),
  }))
  return { schema: 1, kind: 'plimsoll.catalogue', name: 'random', tools }
}
