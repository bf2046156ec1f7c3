import { LEVELS, tenantOf, type Decision, type Event } from '@plimsoll/contracts'
import type { Chain, Outcome, SessionState } from '@plimsoll/engine'
import type { Folded } from '../fold.js'
import { createBoundedLabel } from './bounded-label.js'
import { createDrifts } from './drifts.js'
import type { Instruments } from './instruments.js'
import { createMoveCounts } from './moves.js'
import { createPolicyCounts } from './policies.js'
import { createSums } from './sums.js'

/** What stands where nothing is known. */
const NONE = 'none'
const AGENTS_MAX = 100
const TENANTS_MAX = 50
const CATEGORIES_MAX = 50

/** Counts what became of sessions. Only what was folded anew: a redelivered event was counted when it was folded first. */
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
  const moves = createMoveCounts(made)
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
      moves.settle()
      hazards.settle()
    },
    folded: ({ before: initial, events, outcomes, rules, counted, passedOver }) => {
      let before = initial
      for (const [i, { state: after, decision }] of outcomes.entries()) {
        const event = events[i]?.event
        if (!event) break
        if (decision) countDecision(decision, event, after)
        policies.heard({ event, decision, before, after, rules })
        if (after && after !== before) {
          const chain = rules?.chain(after.category)
          if (before) countStep(before, after, event, chain)
          else countStart(event, categoryLabel(chain?.name ?? NONE))
        }
        before = after
      }
      if (counted) {
        const category = categoryLabel(counted.category)
        moves.add(category, counted)
        if (rules) drifts.add(category, counted, rules.chain(counted.category))
      }
      if (outcomes.some(isLost)) made.sessionsLost.inc({})
      if (passedOver > 0) made.passedOver.inc({}, passedOver)
    },
  }
}

const isLost = ({ fault }: Outcome): boolean => fault?.code === 'session_state_lost'

/** What came of a question: the human's answer, unless it came too late or never. */
function resolutionOf({ reasons }: Decision, event: Event): string {
  const isExpired = reasons.some(({ code }) => code === 'approval_expired')
  return event.type === 'approval.resolved' && !isExpired ? event.resolution : 'expired'
}
