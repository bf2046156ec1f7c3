import type {
  Catalogue,
  Declassifier,
  Policy,
  RecentPattern,
  Run,
  Spec,
  StepPattern,
} from '@plimsoll/contracts'
import type { Random } from '../../property/random.js'

/** Few tools, so that conditions overlap: one reads, one redacts, one asks, one sends. */
const TOOLS: readonly [Catalogue['tools'][number], ...Catalogue['tools'][number][]] = [
  {
    tools: ['read_secret'],
    labels: {
      capability: 'read',
      confidentiality: 'sensitive',
      trust: 'trusted',
      reversibility: 'reversible',
    },
  },
  {
    tools: ['read_web'],
    labels: {
      capability: 'read',
      confidentiality: 'public',
      trust: 'untrusted',
      reversibility: 'reversible',
      tags: ['web'],
    },
  },
  {
    tools: ['scrub'],
    labels: { capability: 'write', confidentiality: 'internal', trust: 'trusted', reversibility: 'partial' },
  },
  {
    tools: ['ask'],
    labels: {
      capability: 'write',
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: 'reversible',
      tags: ['human'],
    },
  },
  {
    tools: ['send_mail'],
    labels: {
      capability: 'network',
      confidentiality: 'none',
      trust: 'trusted',
      reversibility: 'irreversible',
    },
  },
]

export const RANDOM_CATALOGUE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'random',
  tools: [...TOOLS],
}

/** The patterns of one policy: few, so that its specs and hazards concern the same steps. */
interface Choice extends Random {
  pattern(): StepPattern
}

function choiceOf(random: Random): Choice {
  const patterns = [randomPattern(random), randomPattern(random), randomPattern(random)] as const
  return { ...random, pattern: () => (random.chance(0.8) ? random.pick(patterns) : randomPattern(random)) }
}

/** A policy of one to four specs, with two hazards and a goal, determined by the seed. */
export function randomPolicy(random: Random): Policy {
  const declassifiers: Declassifier[] = [
    {
      id: 'scrubbed',
      step: { tools: ['scrub'] },
      from: 'sensitive',
      ...(random.chance(0.5) && { to: 'internal' }),
    },
    {
      id: 'approved',
      step: { tags: ['human'] },
      from: random.pick(['sensitive', 'internal', 'untrusted', 'web']),
    },
  ]
  const of = choiceOf(random)
  const specs = Array.from({ length: 1 + random.below(4) }, (_, i) => randomSpec(`S${i + 1}`, of))
  return {
    schema: 1,
    kind: 'plimsoll.policy',
    name: 'random',
    declassifiers,
    analysis: {
      hazards: [1, 2].map((i) => ({
        id: `H${i}`,
        text: 'made by chance',
        reached: runFor(specs[i - 1], of),
      })),
      goals: [{ id: 'G1', text: 'made by chance', reached: randomRun(of) }],
    },
    specs,
    line: random.chance(0.15)
      ? { present: 'block', absent: 'block', unknown: 'block' }
      : { present: 'block', absent: 'allow', unknown: 'confirm' },
    hazard: ['warn', 'confirm', 'block'],
    forward: { verdicts: ['allow', 'warn', 'confirm'], hysteresis: 0.05 },
    unlabelled: {
      verdict: random.chance(0.7) ? 'block' : 'confirm',
      labels: {
        capability: 'execute',
        confidentiality: 'sensitive',
        trust: 'untrusted',
        reversibility: 'irreversible',
      },
    },
    approvals: { ttlSeconds: 60 },
  }
}

/** Half of the hazards are close to a spec, and so prevented by it, but do not restate it. */
function runFor(spec: Spec | undefined, of: Choice): Run {
  if (!spec || of.chance(0.5)) return randomRun(of)
  if ('flow' in spec && spec.flow) {
    const { within: _, ...from } = spec.flow.from
    return { sequence: [from, of.chance(0.5) ? of.pattern() : from, spec.flow.to] }
  }
  const { tools = ['send_mail'] } = spec
  const { within: _, ...after } = ('after' in spec && spec.after) || recent(of)
  return { sequence: [after, of.pattern(), { tools }] }
}

function randomRun(of: Choice): Run {
  if (of.chance(0.15)) return { endsAfter: of.pattern(), without: of.pattern() }
  const sequence = Array.from({ length: 1 + of.below(3) }, () => of.pattern())
  return of.chance(0.3) ? { sequence, unless: of.pattern() } : { sequence }
}

const SPEC_KINDS = [
  'plain',
  'after',
  'before',
  'between',
  'both',
  'atMost',
  'flow',
  'flow',
  'requires',
  'followedBy',
  'confirmation',
  'allowlist',
] as const

function randomSpec(id: string, of: Choice): Spec {
  const own = of.pattern()
  const kind = of.pick(SPEC_KINDS)
  if (kind === 'requires') return { id, tier: 'mustlist', ...own, requires: recent(of), ...verdictOf(of) }
  if (kind === 'followedBy') return { id, tier: 'mustlist', ...own, followedBy: followedBy(of) }
  if (kind === 'confirmation') return { id, tier: 'confirmation', ...own, after: recent(of) }
  if (kind === 'allowlist')
    return { id, tier: 'allowlist', ...own, lifts: ['line', 'unlabelled'], ...randomPast(of) }
  return { id, tier: 'blocklist', ...blocking(kind, own, of) }
}

type Blocking = Omit<Extract<Spec, { tier: 'blocklist' }>, 'id' | 'tier'>

function blocking(kind: (typeof SPEC_KINDS)[number], own: StepPattern, of: Choice): Blocking {
  if (kind === 'after') return { ...own, after: recent(of) }
  if (kind === 'before') return { ...own, before: recent(of) }
  if (kind === 'between') return { ...own, between: { from: of.pattern(), to: of.pattern() } }
  if (kind === 'both') return { ...own, after: recent(of), before: recent(of) }
  if (kind === 'atMost')
    return {
      ...own,
      atMost: {
        times: of.below(3),
        per: of.chance(0.5) ? 'session' : { steps: 1 + of.below(4) },
      },
    }
  if (kind !== 'flow') return own
  const declassifiers = (['scrubbed', 'approved'] as const).filter(() => of.chance(0.6))
  const from = { ...recent(of), ...of.pick(FLOW_LABELS) }
  return {
    flow: {
      from,
      to: of.pattern(),
      declassifiers,
      ...(of.chance(0.2) && { by: 'values' as const }),
    },
  }
}

const FLOW_LABELS: readonly [StepPattern, ...StepPattern[]] = [
  { confidentiality: ['sensitive'] },
  { confidentiality: ['sensitive', 'internal'] },
  { trust: ['untrusted'] },
  { tags: ['web'] },
  {},
]

function randomPast(of: Choice): Partial<Blocking> {
  if (of.chance(0.4)) return { after: recent(of) }
  if (of.chance(0.5)) return { before: recent(of) }
  return of.chance(0.5) ? { between: { from: of.pattern(), to: of.pattern() } } : {}
}

const verdictOf = (of: Choice) => (of.chance(0.2) ? { verdict: 'confirm' as const } : {})

type FollowedBy = NonNullable<Extract<Spec, { tier: 'mustlist' }>['followedBy']>

const followedBy = (of: Choice): FollowedBy => ({
  step: of.pattern(),
  within: of.chance(0.8) ? { steps: 1 + of.below(3) } : ('session' as const),
  exit: of.pick(['block', 'block', 'confirm', 'allow']),
})

const recent = (of: Choice): RecentPattern => ({
  ...of.pattern(),
  ...(of.chance(0.5) && { within: { steps: 1 + of.below(4) } }),
})

/** Mostly by name; else by labels, and sometimes by arguments and recipients. */
function randomPattern(random: Random): StepPattern {
  const base = random.chance(0.5) ? { tools: [random.pick(TOOLS).tools[0] ?? ''] } : random.pick(LABELS)
  if (random.chance(0.1)) return { ...base, recipient: random.pick(['internal', 'external']) }
  if (random.chance(0.07))
    return { ...base, where: random.pick(['args.safe == true', 'args.urgent == true']) }
  return base
}

const LABELS: readonly [StepPattern, ...StepPattern[]] = [
  { tools: ['read_*'] },
  { capability: ['read'] },
  { confidentiality: ['credentials'] },
  { capability: ['network'] },
  { capability: ['write', 'execute'] },
  { confidentiality: ['sensitive'] },
  { confidentiality: ['internal', 'sensitive'] },
  { trust: ['untrusted'] },
  { reversibility: ['irreversible'] },
  { tags: ['human'] },
  { tags: ['web', 'human'] },
]
