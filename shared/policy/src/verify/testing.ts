import { type ApprovalTerms, type Policy, type Run, type Spec, type StepPattern } from '@plimsoll/contracts'
import { officePolicy } from '../testing.js'
import type { SeenStep } from './hazards/watches.js'

export const UNLABELLED = { capability: 'execute', reversibility: 'partial' } as const

/** Random choices from a seed: xorshift (Marsaglia 2003, 13-17-5). */
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

export const WHERE = 'args.n > 5'

const EFFECT_PATTERNS: readonly [StepPattern, ...StepPattern[]] = [
  { act: ['delete'] },
  { act: ['delete', 'stop'], reach: ['shared', 'live'] },
  { reach: ['own'] },
  { act: ['change'], object: ['path'], reach: ['own', 'project'] },
]

/** What a random step does; undefined: its client does not report it. */
export const EFFECTS: readonly [SeenStep['effects'], ...SeenStep['effects'][]] = [
  undefined,
  [],
  [{ act: 'delete', object: 'path', reach: 'own' }],
  [{ act: 'stop', object: 'host', reach: 'live' }],
  [
    { act: 'change', object: 'path', reach: 'project' },
    { act: 'delete', object: 'table', reach: 'shared' },
  ],
]

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
    ...(dice.chance(15) && dice.pick<StepPattern>(EFFECT_PATTERNS)),
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
  const approval = tier === 'confirmation' && dice.chance(80) && { approval: randomTerms(dice) }
  return { ...head, ...own, ...conditions, ...counting, ...approval, tier }
}

const randomTerms = (dice: Dice): ApprovalTerms => ({
  scopes: ['once', 'session'],
  arguments: dice.pick(['same', 'any']),
  seconds: dice.pick([10, 600]),
})

const randomRun = (dice: Dice): Run =>
  dice.chance(30)
    ? { endsAfter: randomPattern(dice), without: randomPattern(dice) }
    : {
        sequence: [randomPattern(dice), ...(dice.chance(70) ? [randomPattern(dice)] : [])],
        ...(dice.chance(30) && { unless: randomPattern(dice) }),
      }

/** A policy of one to three specs with random conditions, and one hazard. */
export function randomPolicy(dice: Dice): Policy {
  const specs = Array.from({ length: 1 + dice.below(3) }, (_, i) => randomSpec(dice, i))
  const line = dice.pick<Policy['line']>([
    { present: 'allow', absent: 'allow', unknown: 'allow' },
    { present: 'block', absent: 'allow', unknown: 'confirm' },
  ])
  const analysis = { hazards: [{ id: 'H', text: 'random', reached: randomRun(dice) }] }
  return {
    ...officePolicy(analysis, ...specs),
    unlabelled: { verdict: 'confirm', labels: UNLABELLED, approval: randomTerms(dice) },
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
