import type { Analysis, Catalogue, Policy, Run, Spec, StepPattern } from '@plimsoll/contracts'
import { samplePolicy } from './testing.js'

/** Tools of an office, for tests. */
export const OFFICE: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'office',
  tools: [
    {
      tools: ['read_mail'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'untrusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['read_news'],
      labels: {
        capability: 'read',
        confidentiality: 'public',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['redact'],
      labels: {
        capability: 'read',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'reversible',
        tags: ['redacts'],
      },
    },
    {
      tools: ['move_meeting'],
      labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
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
  ],
}

/** Mild where nothing is restricted: the line lets all run. */
export function officePolicy(analysis: Analysis, ...specs: Policy['specs']): Policy {
  return {
    ...samplePolicy(...specs),
    analysis,
    line: { present: 'allow', absent: 'allow', unknown: 'allow' },
    hazard: ['allow', 'warn', 'confirm'],
  }
}

export const hazardOf = (
  reached: NonNullable<NonNullable<Analysis['hazards']>[number]['reached']>,
  id = 'H',
): Analysis => ({ hazards: [{ id, text: 'what must not be', reached }] })

/** Random choices that depend on the seed alone, for tests: xorshift (Marsaglia 2003, 13-17-5). */
export function createDice(seed: number) {
  let state = Math.imul((seed ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0 || 1
  const below = (count: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((state / 4_294_967_296) * count)
  }
  return {
    below,
    chance: (percent: number): boolean => below(100) < percent,
    pick: <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0],
  }
}
export type Dice = ReturnType<typeof createDice>

/** Few tools that differ in what specs ask for, one of them with rules on its arguments. */
export const TOOLS: Catalogue = {
  schema: 1,
  kind: 'plimsoll.catalogue',
  name: 'random',
  tools: [
    {
      tools: ['read_a'],
      labels: {
        capability: 'read',
        confidentiality: 'sensitive',
        trust: 'trusted',
        reversibility: 'reversible',
      },
    },
    {
      tools: ['read_b'],
      labels: {
        capability: 'read',
        confidentiality: 'none',
        trust: 'untrusted',
        reversibility: 'reversible',
        tags: ['pii'],
      },
    },
    {
      tools: ['write_a'],
      labels: { capability: 'write', confidentiality: 'none', trust: 'trusted', reversibility: 'partial' },
    },
    {
      tools: ['send_a'],
      labels: {
        capability: 'network',
        confidentiality: 'none',
        trust: 'trusted',
        reversibility: 'irreversible',
      },
    },
    {
      tools: ['redact'],
      labels: { capability: 'read', confidentiality: 'none', trust: 'trusted', reversibility: 'reversible' },
    },
  ],
}

export const WHERE = 'args.n > 5'

function randomPattern(dice: Dice): StepPattern {
  const base = dice.pick<StepPattern>([
    { tools: ['read_*'] },
    { tools: ['write_a'] },
    { tools: ['send_a'] },
    { tools: ['redact'] },
    { confidentiality: ['sensitive'] },
    { trust: ['untrusted'] },
    { tags: ['pii'] },
    { capability: ['network'] },
    { capability: ['read', 'write'] },
  ])
  return {
    ...base,
    ...(dice.chance(15) && { recipient: 'external' as const }),
    ...(dice.chance(15) && { where: WHERE }),
  }
}

const randomWindow = (dice: Dice) =>
  dice.pick([{ steps: 1 }, { steps: 2 }, { steps: 4 }, { steps: 40 }, { seconds: 10 }, { seconds: 60 }])

const recent = (dice: Dice) => ({
  ...randomPattern(dice),
  ...(dice.chance(50) && { within: randomWindow(dice) }),
})

function randomSpec(dice: Dice, i: number): Spec {
  const head = { id: `s${i}`, ...(dice.chance(20) && { counts: 'proposals' as const }) }
  const own = randomPattern(dice)
  const conditions = {
    ...(dice.chance(40) && { after: recent(dice) }),
    ...(dice.chance(25) && { before: recent(dice) }),
    ...(dice.chance(25) && { between: { from: randomPattern(dice), to: randomPattern(dice) } }),
  }
  const counting = {
    ...(dice.chance(20) && {
      atMost: { times: dice.below(3), per: dice.chance(60) ? ('session' as const) : randomWindow(dice) },
    }),
    ...(dice.chance(10) && { sum: { of: 'args.n', max: 10, per: 'session' as const } }),
    ...(dice.chance(30) && {
      flow: {
        from: recent(dice),
        to: randomPattern(dice),
        ...(dice.chance(30) && { by: 'values' as const }),
        ...(dice.chance(60) && { declassifiers: ['clean'] }),
      },
    }),
  }
  const tier = dice.pick(['blocklist', 'confirmation', 'allowlist', 'requires', 'followedBy'] as const)
  if (tier === 'allowlist') return { ...head, ...own, ...conditions, tier, lifts: ['line', 'confirmation'] }
  if (tier === 'requires') return { ...head, ...own, tier: 'mustlist', requires: recent(dice) }
  if (tier === 'followedBy')
    return {
      ...head,
      ...own,
      tier: 'mustlist',
      followedBy: {
        step: randomPattern(dice),
        within: dice.chance(20) ? 'session' : randomWindow(dice),
        exit: dice.pick(['allow', 'confirm', 'block']),
      },
    }
  return { ...head, ...own, ...conditions, ...counting, tier }
}

export const randomRun = (dice: Dice): Run =>
  dice.chance(30)
    ? { endsAfter: randomPattern(dice), without: randomPattern(dice) }
    : {
        sequence: [randomPattern(dice), ...(dice.chance(70) ? [randomPattern(dice)] : [])],
        ...(dice.chance(30) && { unless: randomPattern(dice) }),
      }

/** A policy of one to three specs with whatever conditions, and a hazard. */
export function randomPolicy(dice: Dice): Policy {
  const specs = Array.from({ length: 1 + dice.below(3) }, (_, i) => randomSpec(dice, i))
  const line = dice.pick<Policy['line']>([
    { present: 'allow', absent: 'allow', unknown: 'allow' },
    { present: 'block', absent: 'allow', unknown: 'confirm' },
  ])
  const analysis = { hazards: [{ id: 'H', text: 'random', reached: randomRun(dice) }] }
  return {
    ...officePolicy(analysis, ...specs),
    line,
    declassifiers: [
      {
        id: 'clean',
        step: { tools: ['redact'] },
        from: dice.pick(['sensitive', 'pii', 'untrusted']),
        ...(dice.chance(30) && { to: 'public' }),
      },
    ],
  }
}
