import {
  logged,
  decisionSchema,
  monthOf,
  transitionCountsName,
  transitionField,
  tenantOf,
  type Event,
  type RegisteredDocument,
} from '@plimsoll/contracts'
import { adopt, updateCandidateMemory, EMPTY_CANDIDATE_MEMORY } from '@plimsoll/comparison'
import {
  applyControl,
  controlsBefore,
  createControlView,
  modeOf,
  transitionsOf,
  outcomeTransition,
  NO_CONTROLS,
  repin,
  step,
  type Outcome,
  type Rules,
  type SessionState,
} from '@plimsoll/engine'
import { validateRecord, type RuleDocuments } from '@plimsoll/monitor'
import { createRulesCache } from '@plimsoll/policy'
import type { LogRecord } from '@plimsoll/runtime'
import { SIGNING_KEY } from './signing-key.js'

/** The input of the fold, and its documents. */
export interface ToFold {
  readonly documents: RuleDocuments
  readonly partitions: number
  /** The fleet's counters are taken from the decisions, which record them. */
  readonly seen: { readonly events: readonly LogRecord[]; readonly decisions?: readonly LogRecord[] }
  /** Documents that are registered. */
  readonly document?: (version: string) => RegisteredDocument | undefined
}

/**
 * Folds `events` through the engine alone: decision texts by id, faults by `partition:offset`, and the
 * counts of sessions, by name and field.
 */
export function foldAlone(
  { documents, partitions, seen, document }: ToFold,
  events: readonly LogRecord[] = seen.events,
) {
  const readings = readingsIn(seen.decisions ?? [])
  const rulesCache = createRulesCache({ defaults: documents, ...(document && { document }) })
  const decisions = new Map<string, string>()
  const faults = new Map<string, string>()
  const states = new Map<string, SessionState>()
  const controls = new Map<number, typeof NO_CONTROLS>()
  const lastEventAt = new Map<string, bigint>()
  const received = new Map<string, Received[]>()
  const counts = new Map<string, Map<string, number>>()
  const keep = (record: LogRecord, outcome: Pick<Outcome, 'decision' | 'fault'>) => {
    if (outcome.decision) decisions.set(outcome.decision.id, JSON.stringify(outcome.decision))
    if (outcome.fault) faults.set(`${record.partition}:${record.offset}`, outcome.fault.code)
  }
  for (const record of events.toSorted((a, b) => a.partition - b.partition || Number(a.offset - b.offset))) {
    const admitted = validateRecord(record, {
      eventBytesMax: 256 * 1024,
      signingKey: SIGNING_KEY,
      partitions,
    })
    const log = controls.get(record.partition) ?? NO_CONTROLS
    if (admitted.kind === 'fault') {
      const { fault, refusal } = admitted
      const view = createControlView(controlsBefore(log, record.offset))
      const mode = refusal && modeOf(view.factsFor(refusal.tenant, ''))
      keep(record, { fault, ...(refusal && mode && { decision: { ...refusal, mode } }) })
      continue
    }
    if (admitted.kind === 'control') {
      const applied = applyControl(log, admitted.control, record.offset)
      if ('log' in applied) controls.set(record.partition, applied.log)
      else keep(record, applied)
      continue
    }
    const { event } = admitted
    const { sessionId } = event
    const view = createControlView(controlsBefore(log, record.offset))
    const known = states.get(sessionId)
    const moved = known && repin(known, view.upgradedVersions(known.pins, lastEventAt.get(sessionId) ?? -1n))
    const rules = rulesCache.rules(moved?.pins ?? view.activeOver(rulesCache.defaults))
    const state =
      moved && rules && known && moved.pins.policy !== known.pins.policy
        ? warmed(moved, received.get(sessionId) ?? [], rules)
        : moved
    const facts = view.factsFor(tenantOf(sessionId), state?.agent ?? '')
    const read = readings.get(`${sessionId} ${event.id} ${record.timeMs}`)
    const judgedOn = read ? { ...facts, readings: read } : facts
    const outcome = step(state, logged(event, record.timeMs), rules, judgedOn)
    received.set(sessionId, [
      ...(received.get(sessionId) ?? []),
      { before: state, event, timeMs: record.timeMs, outcome },
    ])
    const chain = rules?.chain(outcome.state?.category ?? '')
    const reported =
      outcome.state && outcome.state !== state && chain && outcomeTransition(event, outcome.state, chain)
    for (const transition of chain
      ? [...transitionsOf(state, outcome.state, chain), ...(reported ? [reported] : [])]
      : []) {
      const name = transitionCountsName(rules?.meaning ?? '', monthOf(record.timeMs))
      const fields = counts.get(name) ?? new Map<string, number>()
      const field = transitionField({ ...transition, category: chain?.name ?? '' })
      counts.set(name, fields.set(field, (fields.get(field) ?? 0) + 1))
    }
    if (outcome.state) states.set(sessionId, outcome.state)
    lastEventAt.set(sessionId, record.offset)
    keep(record, outcome)
  }
  return { decisions, faults, states, counts }
}

function readingsIn(decisions: readonly LogRecord[]): Map<string, Record<string, number>> {
  const readings = new Map<string, Record<string, number>>()
  for (const { value } of decisions) {
    const text = String(value)
    if (!text.includes('"spec:')) continue
    const { sessionId, eventId, facts, time } = decisionSchema.parse(JSON.parse(text))
    const read = Object.entries(facts).flatMap(([name, n]) =>
      name.startsWith('spec:') && typeof n === 'number' ? [[name, n] as const] : [],
    )
    readings.set(`${sessionId} ${eventId} ${time}`, Object.fromEntries(read))
  }
  return readings
}

/** The events of a session and their outcomes. */
interface Received {
  readonly before: SessionState | undefined
  readonly event: Event
  readonly timeMs: number
  readonly outcome: Outcome
}

/** A session that moves to another policy remembers all its steps as that policy's specs would have. */
function warmed(state: SessionState, received: readonly Received[], rules: Rules): SessionState {
  if (rules.memory.cells === 0) return state
  const followed = received.reduce(
    (followed, { before, outcome, event, timeMs }) =>
      updateCandidateMemory(followed, before, logged(event, timeMs), outcome, rules),
    EMPTY_CANDIDATE_MEMORY,
  )
  return adopt(state, followed)
}
