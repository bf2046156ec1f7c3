import { type Decision, type Event, type Reason, LEVELS } from '@plimsoll/contracts'
import {
  type Chain,
  type OwedObligation,
  type Rules,
  type SessionState,
  FLOW_BUCKETS,
  driftOf,
  owedObligations,
} from '@plimsoll/engine'
import type { SessionTransitions } from '../fold/counting.js'
import type { Folded } from '../fold/fold.js'
import { type MonitorInstruments, createBoundedLabel } from './specs.js'

/** Sums values by name until `settle`: incrementing a counter for every step would cost as much as judging it. */
function createSums(report: (name: string, sum: number) => void) {
  const sums = new Map<string, number>()
  return {
    add: (name: string, value: number) => void sums.set(name, (sums.get(name) ?? 0) + value),
    settle: () => {
      for (const [name, sum] of sums) report(name, sum)
      sums.clear()
    },
  }
}

/** Counts transitions, and their drift from the chain they are counted under; `settle` passes the sums of a chunk to the metrics. */
export function createDrifts(
  made: Pick<MonitorInstruments, 'transitions' | 'transitionNats' | 'bucketSteps' | 'countedTransitions'>,
) {
  const steps = createSums((category, sum) => made.transitions.inc({ category }, sum))
  const surprise = createSums((category, sum) => made.transitionNats.inc({ category, of: 'surprise' }, sum))
  const entropy = createSums((category, sum) => made.transitionNats.inc({ category, of: 'entropy' }, sum))
  const kinds = createSums((name, sum) => {
    const [kind = '', category = ''] = name.split(' ', 2)
    made.countedTransitions.inc({ category, kind }, sum)
  })
  const observed = new Float64Array(FLOW_BUCKETS)
  const fitted = new Float64Array(FLOW_BUCKETS)

  /** A step made in `bucket`, beside the share of steps that the fitted chain makes in each bucket. */
  const addBucket = (bucket: number, { buckets }: Chain) => {
    if (buckets.length === 0) return
    observed[bucket] = (observed[bucket] ?? 0) + 1
    for (let i = 0; i < FLOW_BUCKETS; i++) fitted[i] = (fitted[i] ?? 0) + (buckets[i] ?? 0)
  }

  return {
    /** `category` is the value of the label. */
    add: (category: string, { transitions }: SessionTransitions, chain: Chain | undefined) => {
      for (const transition of transitions) {
        kinds.add(`${transition.kind} ${category}`, 1)
        const drift = chain && driftOf(transition, chain)
        if (!drift) continue
        steps.add(category, 1)
        surprise.add(category, drift.surprise)
        entropy.add(category, drift.entropy)
        if (drift.bucket !== undefined) addBucket(drift.bucket, chain)
      }
    },
    settle: () => {
      for (const sums of [steps, surprise, entropy, kinds]) sums.settle()
      // All buckets each time, so that both values of `of` have the same series.
      if (fitted.every((share) => share === 0)) return
      for (const [i, share] of fitted.entries()) {
        made.bucketSteps.inc({ bucket: String(i), of: 'observed' }, observed[i] ?? 0)
        made.bucketSteps.inc({ bucket: String(i), of: 'fitted' }, share)
      }
      observed.fill(0)
      fitted.fill(0)
    },
  }
}

/** Label value of an unknown category, agent or effect. */
const NONE = 'none'

/** Specs with series of their own; further ones are `other`. */
const SPECS_MAX = 200

/** The tier of reasons, by source. */
const TIERS: Readonly<Partial<Record<Reason['source'], string>>> = {
  blocklist: 'blocklist',
  flow: 'blocklist',
  mustlist: 'mustlist',
  confirmation: 'confirmation',
  line: 'line',
  integrity: 'integrity',
  irreversible: 'irreversible',
}

const BY_HUMAN = 'approval:'

/** One event between two states of a session. */
interface FoldedEvent {
  readonly event: Event
  readonly decision: Decision | undefined
  readonly before: SessionState | undefined
  readonly after: SessionState | undefined
  readonly rules: Rules | undefined
}

/** Counts what specs decide, and what becomes of obligations. */
export function createPolicyCounts(
  made: Pick<MonitorInstruments, 'specVerdicts' | 'obligations' | 'declassifications' | 'fleetReadings'>,
) {
  const specLabel = createBoundedLabel(SPECS_MAX)

  const countReason = ({ source, code, verdict, effect, liftedBy }: Reason) => {
    const tier = TIERS[source]
    const { act = NONE, reach = NONE } = effect ?? {}
    if (tier !== undefined) made.specVerdicts.inc({ spec: specLabel(code), tier, verdict, act, reach })
    if (liftedBy !== undefined && !liftedBy.startsWith(BY_HUMAN))
      made.specVerdicts.inc({ spec: specLabel(liftedBy), tier: 'allowlist', verdict: 'allow', act, reach })
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
    count: ({ event, decision, before, after, rules }: FoldedEvent) => {
      // Only first decisions: an approval judges the same step again.
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

/** Whether an obligation was paid after its deadline, in time or in steps. */
function isLate(
  { spec, obligation: { steps }, since, overdueMs }: OwedObligation,
  { time, steps: done, blocked }: SessionState,
): boolean {
  if (overdueMs !== undefined) return time >= overdueMs
  return steps !== undefined && done + (spec.countsProposals ? blocked : 0) > since + steps
}

const AGENTS_MAX = 100
const TENANTS_MAX = 50
const CATEGORIES_MAX = 50

/** Counts decisions and sessions. A redelivered event is not counted again. */
export function createSessionCounts(made: MonitorInstruments) {
  const agentLabel = createBoundedLabel(AGENTS_MAX)
  const tenantLabel = createBoundedLabel(TENANTS_MAX)
  const categoryLabel = createBoundedLabel(CATEGORIES_MAX)

  const drifts = createDrifts(made)
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
    const { verdict, kind, risk } = decision
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
  }

  const countStep = (before: SessionState, after: SessionState, event: Event, chain: Chain | undefined) => {
    const category = categoryLabel(chain?.name ?? NONE)
    const level = LEVELS[after.level] ?? NONE
    if (after.level > before.level) made.sessionsReached.inc({ category, level })
    if (after.ended && !before.ended)
      made.sessionsEnded.inc({ category, level, how: event.type === 'deadline.reached' ? 'idle' : 'ended' })
    if (after.withoutVerdict > before.withoutVerdict)
      made.withoutVerdict.inc({ category }, after.withoutVerdict - before.withoutVerdict)
    if (after.violations > before.violations)
      made.violations.inc({ category }, after.violations - before.violations)
  }

  return {
    /** A decision that needed no session. */
    decided,
    /** All sessions of a chunk are counted. */
    settle: () => {
      drifts.settle()
      hazards.settle()
    },
    folded: ({ before: initial, events, outcomes, rules, counted }: Folded) => {
      let before = initial
      for (const [i, { state: after, decision }] of outcomes.entries()) {
        const event = events[i]?.event
        if (!event) break
        if (decision) countDecision(decision, event, after)
        policies.count({ event, decision, before, after, rules })
        if (after && after !== before) {
          const chain = rules?.chain(after.category)
          if (before) countStep(before, after, event, chain)
          else made.sessionsReached.inc({ category: categoryLabel(chain?.name ?? NONE), level: LEVELS[0] })
        }
        before = after
      }
      if (counted) drifts.add(categoryLabel(counted.category), counted, rules?.chain(counted.category))
      if (outcomes.some(({ fault }) => fault?.code === 'session_state_lost')) made.sessionsLost.inc({})
    },
  }
}

/** The human's answer to an approval request, or `expired` if it came too late or never. */
function resolutionOf({ reasons }: Decision, event: Event): string {
  const isExpired = reasons.some(({ code }) => code === 'approval_expired')
  return event.type === 'approval.resolved' && !isExpired ? event.resolution : 'expired'
}
