import type { Decision, Event, Reason } from '@plimsoll/contracts'
import { owedIn, type Owed, type Rules, type SessionState } from '@plimsoll/engine'
import { createBoundedLabel } from './bounded-label.js'
import type { Instruments } from './instruments.js'

/** Specs whose names are series; further ones are `other`. */
const SPECS_MAX = 200

/** Counts what the specs of policies say, and what becomes of what they ask for. */
export interface PolicyCounts {
  /** One event between two states of a session. */
  heard(heard: {
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
    const [was, is] = [owedIn(before.memory, memory), owedIn(after.memory, memory)]
    for (const owed of is) if (!was.some(isSame(owed))) made.obligations.inc({ outcome: 'opened' })
    for (const owed of was)
      if (!is.some(isSame(owed))) made.obligations.inc({ outcome: isLate(owed, after) ? 'late' : 'paid' })
    if (after.ended && !before.ended) made.obligations.inc({ outcome: 'unpaid' }, is.length)
  }

  return {
    heard: ({ event, decision, before, after, rules }) => {
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
  (one: Owed) =>
  (other: Owed): boolean =>
    one.spec.id === other.spec.id && one.since === other.since

/** Whether what was owed was paid after its time; of steps, once as many are done as there was room for. */
function isLate(
  { spec, obligation: { steps }, since, overdueMs }: Owed,
  { time, steps: done, blocked }: SessionState,
): boolean {
  if (overdueMs !== undefined) return time >= overdueMs
  return steps !== undefined && done + (spec.countsProposals ? blocked : 0) > since + steps
}
