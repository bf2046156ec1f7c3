import {
  CAPABILITIES,
  CONFIDENTIALITIES,
  LIFTABLE_SOURCES,
  REVERSIBILITIES,
  TRUSTS,
  type Bundle,
  type Catalogue,
  type ChainTables,
  type Declassifier,
  type Per,
  type Policy,
  type RecentPattern,
  type Spec,
  type StepPattern,
  type Window,
} from '@plimsoll/contracts'
import type { Random } from '../random.js'
import { GLOBS, randomLabels, some, TAGS, TOOLS } from './alphabet.js'

const EXPRESSIONS = [
  'args.amount > 10',
  'args.amount <= 5',
  'args.kind == "a"',
  'args.kind != "b"',
  'args.command.startsWith("down")',
] as const

/** A step pattern: mostly by name, sometimes by labels, recipients or arguments. */
export function randomPattern(random: Random): StepPattern {
  const pattern: StepPattern = {
    ...(random.chance(0.55) && { tools: some(random, GLOBS, 0.1) }),
    ...(random.chance(0.1) && { capability: some(random, CAPABILITIES) }),
    ...(random.chance(0.2) && { confidentiality: some(random, CONFIDENTIALITIES) }),
    ...(random.chance(0.12) && { trust: some(random, TRUSTS, 0.2) }),
    ...(random.chance(0.05) && { reversibility: some(random, REVERSIBILITIES) }),
    ...(random.chance(0.12) && { tags: some(random, TAGS) }),
    ...(random.chance(0.08) && { recipient: random.pick(['internal', 'external'] as const) }),
    ...(random.chance(0.1) && { act: some(random, ['delete', 'stop', 'publish', 'change']) }),
    ...(random.chance(0.06) && { object: some(random, ['path', 'table']) }),
    ...(random.chance(0.06) && { reach: some(random, ['project', 'live', 'own']) }),
    ...(random.chance(0.12) && { where: random.pick(EXPRESSIONS) }),
  }
  return Object.keys(pattern).length > 0 ? pattern : { tools: [random.pick(GLOBS)] }
}

const randomWindow = (random: Random): Window =>
  random.chance(0.5) ? { steps: 1 + random.below(6) } : { seconds: 1 + random.below(6) }

const recentPattern = (random: Random): RecentPattern => ({
  ...randomPattern(random),
  ...(random.chance(0.5) && { within: randomWindow(random) }),
})

const randomPer = (random: Random): Per =>
  random.chance(0.3)
    ? 'session'
    : random.chance(0.5)
      ? { steps: 1 + random.below(12) }
      : { seconds: 1 + random.below(12) }

type Conditions = Omit<Extract<Spec, { tier: 'blocklist' }>, 'id' | 'tier'>

const past = (random: Random): Conditions => {
  const kind = random.below(3)
  if (kind === 0) return { after: recentPattern(random) }
  if (kind === 1) return { before: recentPattern(random) }
  return { between: { from: randomPattern(random), to: randomPattern(random) } }
}

const counting = (random: Random): Conditions => {
  const per = randomPer(random)
  const kind = random.below(7)
  if (kind < 2) return { atMost: { times: random.below(4), per } }
  if (kind < 4) return { sum: { of: 'args.amount', max: 5 * random.below(8), per } }
  if (kind < 6)
    return {
      distinct: { of: random.pick(['args.kind', 'args.list'] as const), max: 1 + random.below(3), per },
    }
  return { fleet: { sessions: random.below(4), seconds: 60 } }
}

const EVERY_STEP: StepPattern = { tools: ['*'] }

/** Mostly one condition, sometimes two. */
function randomConditions(random: Random, declassifiers: readonly Declassifier[]): Conditions {
  const kind = random.next()
  const second = random.chance(0.25) && past(random)
  if (kind < 0.35) return { ...second, ...past(random) }
  if (kind < 0.65) return { ...second, ...counting(random) }
  if (kind < 0.7) return {}
  return { ...second, flow: randomFlow(random, declassifiers) }
}

function randomFlow(random: Random, declassifiers: readonly Declassifier[]): NonNullable<Conditions['flow']> {
  // Mostly of data, the purpose of flows.
  const named: StepPattern = random.chance(0.8)
    ? {
        ...(random.chance(0.6) && { confidentiality: some(random, CONFIDENTIALITIES, 0.6) }),
        ...(random.chance(0.3) && { trust: some(random, TRUSTS, 0.2) }),
        ...(random.chance(0.3) && { tags: some(random, TAGS) }),
      }
    : randomPattern(random)
  const from = Object.keys(named).length > 0 ? named : randomPattern(random)
  const known = declassifiers.filter(() => random.chance(0.8)).map(({ id }) => id)
  return {
    from: { ...from, ...(random.chance(0.35) && { within: randomWindow(random) }) },
    to: randomPattern(random),
    ...(random.chance(0.35) && { by: random.pick(['labels', 'values'] as const) }),
    ...(known.length > 0 && { declassifiers: known }),
  }
}

function randomSpec(random: Random, id: string, declassifiers: readonly Declassifier[]): Spec {
  const clock = random.chance(0.25) && { counts: random.pick(['steps', 'proposals'] as const) }
  const kind = random.next()
  if (kind < 0.25) return mustlistSpec(random, { id, ...randomPattern(random), ...clock })
  if (kind < 0.43) {
    const base = { id, ...(random.chance(0.5) ? randomPattern(random) : EVERY_STEP), ...clock }
    const before = { ...past(random), ...(random.chance(0.2) && past(random)) }
    return { ...base, ...before, tier: 'allowlist', lifts: some(random, LIFTABLE_SOURCES, 0.5) }
  }
  const conditions = randomConditions(random, declassifiers)
  const own = random.chance(conditions.flow ? 0.2 : 0.6) ? randomPattern(random) : EVERY_STEP
  const base = { id, ...own, ...clock, ...conditions }
  if (kind < 0.73) return { ...base, tier: 'blocklist' }
  const verdict = random.chance(0.6) && { verdict: random.pick(['warn', 'confirm'] as const) }
  return { ...base, ...verdict, tier: 'confirmation' }
}

function mustlistSpec(random: Random, base: Pick<Spec, 'id'>): Spec {
  const within = random.chance(0.15) ? ('session' as const) : randomWindow(random)
  const exit = random.chance(0.6) && { exit: random.pick(['allow', 'confirm', 'block'] as const) }
  const verdict = random.chance(0.5) && { verdict: random.pick(['warn', 'confirm', 'block'] as const) }
  const requires = random.chance(0.45) && { requires: recentPattern(random) }
  const paid = { step: randomPattern(random), within, ...exit }
  const followedBy = !requires && { followedBy: paid }
  return { ...base, ...requires, ...followedBy, ...verdict, tier: 'mustlist' }
}

/** A fulfilling step has a requirement itself, so that it must wait sometimes. */
function waitingSpecs(random: Random): Spec[] {
  const tools = [random.pick(TOOLS)]
  const within = randomWindow(random)
  const requires = { tools: [random.pick(TOOLS)] }
  return [
    { id: 'owes', tier: 'mustlist', tools: ['*'], followedBy: { step: { tools }, within } },
    { id: 'waits', tier: 'mustlist', tools, requires },
  ]
}

/** A flow of data that a declassifier of the policy covers, with only a warning, so that the session continues. */
function flowingSpec(random: Random, declassifiers: readonly Declassifier[]): Spec {
  const named = new Set(declassifiers.flatMap(({ from, to }) => [from, to ?? from]))
  const confidentiality = CONFIDENTIALITIES.filter((word) => named.has(word))
  const tags = TAGS.filter((word) => named.has(word) && confidentiality.length === 0)
  const from: StepPattern = {
    ...(confidentiality.length > 0 && { confidentiality }),
    ...(tags.length > 0 && { tags }),
    ...(named.has('untrusted') && confidentiality.length + tags.length === 0 && { trust: ['untrusted'] }),
  }
  const known = declassifiers.map(({ id }) => id)
  const to = { tools: [random.pick(GLOBS)] }
  const flow = known.length > 0 ? { from, to, declassifiers: known } : { from: randomPattern(random), to }
  return { id: 'flows', tier: 'confirmation', verdict: 'warn', flow }
}

/** From a label to a lower one, to nothing, or to a new word, so that there is no cycle. */
function randomDeclassifier(random: Random, id: string): Declassifier {
  const step = random.chance(0.7) ? { tools: [random.pick(TOOLS)] } : randomPattern(random)
  const from = random.pick(['sensitive', 'credentials', 'internal', 'pii', 'untrusted'] as const)
  const lower = { sensitive: 'internal', credentials: 'sensitive', internal: 'public', pii: 'fin' } as const
  const to = from === 'untrusted' ? 'trusted' : lower[from]
  return { id, step, from, ...(random.chance(0.6) && { to }) }
}

export function randomPolicy(random: Random, specCount = 1 + random.below(4)): Policy {
  const declassifiers = Array.from({ length: random.below(4) }, (_, i) => randomDeclassifier(random, `d${i}`))
  const theme = random.next()
  const themed = theme < 0.2 ? waitingSpecs(random) : theme < 0.4 ? [flowingSpec(random, declassifiers)] : []
  const others = Array.from({ length: specCount }, (_, i) => randomSpec(random, `s${i}`, declassifiers))
  const specs = [...themed, ...others]
  return {
    schema: 1,
    kind: 'plimsoll.policy',
    name: 'random',
    ...(declassifiers.length > 0 && { declassifiers }),
    specs,
    line: { present: 'warn', absent: 'warn', unknown: 'warn' },
    hazard: ['warn', 'warn', 'warn'],
    forward: { verdicts: ['allow', 'allow', 'allow'], hysteresis: 0 },
    unlabelled: { verdict: 'allow', labels: { ...randomLabels(random), tags: [] } },
    approvals: { ttlSeconds: 4 },
  }
}

export function randomCatalogue(random: Random): Catalogue {
  const tools = TOOLS.filter((tool) => tool !== 'odd').map((tool) => ({
    tools: [tool],
    labels: randomLabels(random),
    ...(random.chance(0.2) && { least: { ...randomLabels(random), tags: [] } }),
  }))
  return { schema: 1, kind: 'plimsoll.catalogue', name: 'random', tools }
}

const CHAIN: ChainTables = {
  traces: 10,
  transitions: 40,
  violations: 2,
  hazard: [0.5, 0.5, 0.5, 0.5, 0.5],
  forward: [
    [0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0],
  ],
  stepsToViolation: [1, 1, 1, 1, 1],
  counts: [],
  thresholds: { hazard: [0.4, 0.9, 1], forward: [0.9, 0.95, 1] },
}

/** Warns at every step, so that an allowlist spec can always lift something. */
export const WARY: Bundle = {
  schema: 1,
  kind: 'plimsoll.bundle',
  name: 'wary',
  space: 'paper5',
  target: 'observed',
  horizon: 1,
  horizonMax: 1,
  aggregate: CHAIN,
  categories: {},
  origin: {},
}
