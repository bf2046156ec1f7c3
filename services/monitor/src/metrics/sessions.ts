import { type Decision, type Event, type Reason, LEVELS, tenantOf } from '@plimsoll/contracts'
import {
  type Chain,
  type Outcome,
  type OwedObligation,
  type Rules,
  type SessionState,
  FLOW_BUCKETS,
  driftOf,
  owedObligations,
} from '@plimsoll/engine'
import type { SessionTransitions } from '../fold/counting.js'
import type { Folded } from '../fold/fold.js'
import { type Instruments, createBoundedLabel } from './specs.js'

/** Sums the drift of a chunk's steps: counting each of them by itself would cost as much as judging it. */
export interface Drifts {
  /** Steps of `category`, whose name is the label, under the chain that they were counted by. */
  add(category: string, counted: SessionTransitions, chain: Chain): void
  /** Counts what was added since the last time. */
  settle(): void
}

interface Sum {
  steps: number
  surprise: number
  entropy: number
}

type Counters = Pick<
  Instruments,
  'transitions' | 'surprise' | 'entropy' | 'bucketSteps' | 'bucketFittedSteps'
>

export function createDrifts({
  transitions,
  surprise,
  entropy,
  bucketSteps,
  bucketFittedSteps,
}: Counters): Drifts {
  const sums = new Map<string, Sum>()
  const stood = new Float64Array(FLOW_BUCKETS)
  const fitted = new Float64Array(FLOW_BUCKETS)

  /** A step made in `bucket`, beside how many of one step are made in each as the chain was fitted. */
  const stand = (bucket: number, { buckets }: Chain) => {
    if (buckets.length === 0) return
    stood[bucket] = (stood[bucket] ?? 0) + 1
    for (let i = 0; i < FLOW_BUCKETS; i++) fitted[i] = (fitted[i] ?? 0) + (buckets[i] ?? 0)
  }

  return {
    add: (category, { transitions }, chain) => {
      const sum = sums.get(category) ?? { steps: 0, surprise: 0, entropy: 0 }
      for (const transition of transitions) {
        const drift = driftOf(transition, chain)
        if (!drift) continue
        sum.steps++
        sum.surprise += drift.surprise
        sum.entropy += drift.entropy
        if (drift.bucket !== undefined) stand(drift.bucket, chain)
      }
      if (sum.steps > 0) sums.set(category, sum)
    },
    settle: () => {
      for (const [category, sum] of sums) {
        transitions.inc({ category }, sum.steps)
        surprise.inc({ category }, sum.surprise)
        entropy.inc({ category }, sum.entropy)
      }
      sums.clear()
      // Each with all buckets, so that both have the same series.
      if (fitted.every((steps) => steps === 0)) return
      for (const [i, steps] of fitted.entries()) {
        bucketSteps.inc({ bucket: String(i) }, stood[i] ?? 0)
        bucketFittedSteps.inc({ bucket: String(i) }, steps)
      }
      stood.fill(0)
      fitted.fill(0)
    },
  }
}

/** Sums what a chunk's sessions were counted with: counting each move by itself would cost as much as making it. */
export interface TransitionCounts {
  add(category: string, counted: SessionTransitions): void
  /** Counts what was added since the last time. */
  settle(): void
}

export function createTransitionCounts({
  countedTransitions,
}: Pick<Instruments, 'countedTransitions'>): TransitionCounts {
  const sums = new Map<string, Map<string, number>>()
  return {
    add: (category, counted) => {
      const kinds = sums.get(category) ?? new Map<string, number>()
      sums.set(category, kinds)
      for (const { kind } of counted.transitions) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    },
    settle: () => {
      for (const [category, kinds] of sums)
        for (const [kind, count] of kinds) countedTransitions.inc({ category, kind }, count)
      sums.clear()
    },
  }
}

/** Specs whose names are series; further ones are `other`. */
const SPECS_MAX = 200

/** Counts what the specs of policies say, and what becomes of what they ask for. */
export interface PolicyCounts {
  /** One event between two states of a session. */
  count(count: {
    readonly event: Event
    readonly decision: Decision | undefined
    readonly before: SessionState | undefined
    readonly after: SessionState | undefined
    readonly rules: Rules | undefined
  }): void
}

/** Where reasons come from that are specs, and the tier of those. */
const TIERS: Readonly<Partial<Record<Reason['source'], string>>> = {
  blocklist: 'blocklist',
  flow: 'blocklist',
  mustlist: 'mustlist',
  confirmation: 'confirmation',
}

/** Sources that judge every step, whatever specs there are. */
const LINES: ReadonlySet<Reason['source']> = new Set(['line', 'integrity', 'irreversible'])

const BY_HUMAN = 'approval:'

export function createPolicyCounts(
  made: Pick<
    Instruments,
    'lineVerdicts' | 'specVerdicts' | 'obligations' | 'declassifications' | 'fleetReadings'
  >,
): PolicyCounts {
  const specLabel = createBoundedLabel(SPECS_MAX)

  const countReason = ({ source, code, verdict, liftedBy }: Reason) => {
    if (LINES.has(source))
      made.lineVerdicts.inc({ source, code, verdict: liftedBy === undefined ? verdict : 'allow' })
    const tier = TIERS[source]
    if (tier !== undefined) made.specVerdicts.inc({ spec: specLabel(code), tier, verdict })
    if (liftedBy !== undefined && !liftedBy.startsWith(BY_HUMAN))
      made.specVerdicts.inc({ spec: specLabel(liftedBy), tier: 'allowlist', verdict: 'allow' })
  }
  const countReadings = ({ facts }: Decision, { memory }: Rules) => {
    for (const { id, fleet } of memory.fleets) {
      const reading = fleet && facts[fleet.reading]
      if (typeof reading !== 'number' || !fleet) continue
      made.fleetReadings.inc({ spec: specLabel(id), outcome: reading < fleet.sessions ? 'room' : 'full' })
    }
  }
  const countOwed = (before: SessionState, after: SessionState, { memory }: Rules) => {
    const [was, is] = [owedObligations(before.memory, memory), owedObligations(after.memory, memory)]
    for (const owed of is) if (!was.some(isSame(owed))) made.obligations.inc({ outcome: 'opened' })
    for (const owed of was)
      if (!is.some(isSame(owed))) made.obligations.inc({ outcome: isLate(owed, after) ? 'late' : 'paid' })
    if (after.ended && !before.ended) made.obligations.inc({ outcome: 'unpaid' }, is.length)
  }

  return {
    count: ({ event, decision, before, after, rules }) => {
      // An approval judges the same step again.
      if (decision?.kind === 'step') for (const reason of decision.reasons) countReason(reason)
      if (!rules) return
      if (decision && rules.memory.fleets.length > 0) countReadings(decision, rules)
      if (!before || !after || before === after) return
      if (rules.memory.obligations.length > 0) countOwed(before, after, rules)
      if (event.type === 'declassification.granted')
        made.declassifications.inc({ spec: specLabel(event.spec) })
    },
  }
}

const isSame =
  (one: OwedObligation) =>
  (other: OwedObligation): boolean =>
    one.spec.id === other.spec.id && one.since === other.since

/** Whether what was owed was paid after its time; of steps, once as many are done as there was room for. */
function isLate(
  { spec, obligation: { steps }, since, overdueMs }: OwedObligation,
  { time, steps: done, blocked }: SessionState,
): boolean {
  if (overdueMs !== undefined) return time >= overdueMs
  return steps !== undefined && done + (spec.countsProposals ? blocked : 0) > since + steps
}

/** Sums by name, told all at once: a counter's own sum costs more than a map's. */
export interface Sums {
  add(name: string, value: number): void
  /** Tells each sum since the last time. */
  settle(): void
}

export function createSums(report: (name: string, sum: number) => void): Sums {
  const sums = new Map<string, number>()
  return {
    add: (name, value) => void sums.set(name, (sums.get(name) ?? 0) + value),
    settle: () => {
      for (const [name, sum] of sums) report(name, sum)
      sums.clear()
    },
  }
}

/** What stands where nothing is known. */
const NONE = 'none'
const AGENTS_MAX = 100
const TENANTS_MAX = 50
const CATEGORIES_MAX = 50

/** Counts what became of sessions. Only what was folded again: a redelivered event was counted when it was folded first. */
export interface SessionCounts {
  folded(folded: Folded): void
  /** All sessions of a chunk were counted. */
  settle(): void
  /** A decision that needed no session. */
  decided(decision: Decision): void
}

export function createSessionCounts(made: Instruments): SessionCounts {
  const agentLabel = createBoundedLabel(AGENTS_MAX)
  const tenantLabel = createBoundedLabel(TENANTS_MAX)
  const categoryLabel = createBoundedLabel(CATEGORIES_MAX)

  const drifts = createDrifts(made)
  const transitions = createTransitionCounts(made)
  const policies = createPolicyCounts(made)
  const hazards = createSums((category, sum) => made.hazard.inc({ category }, sum))

  const decided = (decision: Decision) =>
    made.decisions.inc({
      verdict: decision.verdict,
      category: categoryLabel(decision.risk?.category ?? NONE),
      kind: decision.kind,
      mode: decision.mode,
      tenant: tenantLabel(decision.tenant),
    })

  const countDecision = (decision: Decision, event: Event, after: SessionState | undefined) => {
    decided(decision)
    const { verdict, kind, mode, risk } = decision
    if (kind === 'approval') {
      const resolution = resolutionOf(decision, event)
      made.approvalsResolved.inc({ resolution })
      if (risk) made.approvalsHazard.inc({ resolution }, risk.hazard)
    }
    if (kind === 'step' && risk) hazards.add(categoryLabel(risk.category), risk.hazard)
    if (kind === 'step' && risk?.basis === 'labels')
      made.labelsOnly.inc({ category: categoryLabel(risk.category) })
    if (kind !== 'step' || verdict === 'allow') return
    made.interventions.inc({ agent: agentLabel(after?.agent || NONE), verdict })
    if (verdict === 'confirm' && mode === 'enforce')
      made.approvalsRequested.inc({ category: categoryLabel(decision.risk?.category ?? NONE) })
  }

  const countStart = ({ sessionId }: Event, category: string) => {
    made.sessionsStarted.inc({ category, tenant: tenantLabel(tenantOf(sessionId)) })
    made.sessionsReached.inc({ category, level: LEVELS[0] })
  }

  const countStep = (before: SessionState, after: SessionState, event: Event, chain: Chain | undefined) => {
    const category = categoryLabel(chain?.name ?? NONE)
    const level = LEVELS[after.level] ?? NONE
    if (after.level > before.level) made.sessionsReached.inc({ category, level })
    if (after.ended && !before.ended)
      made.sessionsEnded.inc({ category, level, how: event.type === 'deadline.reached' ? 'idle' : 'ended' })
    if (after.held && !before.held) made.sessionsHeld.inc({})
    if (after.withoutVerdict > before.withoutVerdict)
      made.withoutVerdict.inc({ category }, after.withoutVerdict - before.withoutVerdict)
    if (after.violations > before.violations)
      made.violations.inc({ category }, after.violations - before.violations)
  }

  return {
    decided,
    settle: () => {
      drifts.settle()
      transitions.settle()
      hazards.settle()
    },
    folded: ({ before: initial, events, outcomes, rules, counted, skipped }) => {
      let before = initial
      for (const [i, { state: after, decision }] of outcomes.entries()) {
        const event = events[i]?.event
        if (!event) break
        if (decision) countDecision(decision, event, after)
        policies.count({ event, decision, before, after, rules })
        if (after && after !== before) {
          const chain = rules?.chain(after.category)
          if (before) countStep(before, after, event, chain)
          else countStart(event, categoryLabel(chain?.name ?? NONE))
        }
        before = after
      }
      if (counted) {
        const category = categoryLabel(counted.category)
        transitions.add(category, counted)
        if (rules) drifts.add(category, counted, rules.chain(counted.category))
      }
      if (outcomes.some(isLost)) made.sessionsLost.inc({})
      if (skipped > 0) made.skipped.inc({}, skipped)
    },
  }
}

const isLost = ({ fault }: Outcome): boolean => fault?.code === 'session_state_lost'

/** What came of a question: the human's answer, unless it came too late or never. */
function resolutionOf({ reasons }: Decision, event: Event): string {
  const isExpired = reasons.some(({ code }) => code === 'approval_expired')
  return event.type === 'approval.resolved' && !isExpired ? event.resolution : 'expired'
}
