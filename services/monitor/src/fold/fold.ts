import { logged, tenantOf } from '@plimsoll/contracts'
import { type CandidateMemory, adopt } from '@plimsoll/comparison'
import {
  type ControlView,
  type Facts,
  type LoggedEvent,
  type Outcome,
  type Rules,
  type SessionState,
  encodeState,
  fleetRuns,
  nextDeadline,
  refuse,
  repin,
  step,
} from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'
import type { RecordWrite } from '@plimsoll/runtime'
import { type Emission, encodeOutbox } from '../records/emission.js'
import { type Held, bodyOf } from '../records/progress.js'
import type { SessionEvent } from '../records/validate.js'
import { type IsCounted, type SessionTransitions, countTransitions, fieldsOf } from './counting.js'
import type { FleetReadings, RunAt } from './fleet-readings.js'

export interface FoldContext {
  readonly rulesCache: Pick<RulesCache, 'rules' | 'defaults'>
  /** The controls in force for the events. */
  readonly view: ControlView
  readonly partition: number
  readonly lifetimes: Lifetimes
  readonly isCounted: IsCounted
  readonly fleet: FleetReadings
  /** Offset of the chunk's first record: everything before it is committed. */
  readonly chunkStart: bigint
  /** State rebuilt from the log for sessions that move to another policy. */
  readonly warmth: Warmth
}

/** The events of one session in a chunk, folded. */
export interface Folded {
  readonly id: string
  /** Offset of the last event folded earlier. */
  readonly heldAt: bigint
  /** The state before the first of `events`. */
  readonly before: SessionState | undefined
  /** Source of its specs' state, if it has moved to another policy. */
  readonly warmed: 'log' | 'record' | undefined
  /** The events folded now, each with its outcome. Events answered from the outbox are not among them. */
  readonly events: readonly SessionEvent[]
  readonly outcomes: readonly Outcome[]
  /** The rules it was judged by; undefined if this monitor lacks them. */
  readonly rules: Rules | undefined
  /** One for each event that publishes anything, in log order. */
  readonly emissions: readonly Emission[]
  /** The transitions of a counted session; stored with its write. */
  readonly counted: SessionTransitions | undefined
  /** Must be stored before anything is published; undefined if there is nothing to store. */
  readonly write: RecordWrite | undefined
}

/**
 * Folds `events` (log order) into the `held` record of their session. Pure except for the rules cache. Events at or below the stored offset
 * are answered from the outbox. Source: docs/decisions/20261121-delivery-order.md.
 */
export function foldSession(held: Held, events: readonly SessionEvent[], context: FoldContext): Folded {
  const outbox = held.outbox.filter(({ offset }) => offset >= context.chunkStart)
  const fresh = events.filter(({ record }) => record.offset > held.offset)
  const { before, warmed, state, outcomes, rules, runs } = held.isLost
    ? refuseAll(held, fresh, context)
    : foldEvents(held, fresh, context)
  const produced = fresh.flatMap(({ record }, i) => emissionOf(record.offset, outcomes[i]))
  const answered = outbox.filter(({ offset }) => events.some(({ record }) => record.offset === offset))
  const last = fresh.at(-1)?.record
  const counted = context.isCounted(held.id) ? countTransitions(before, outcomes, fresh, rules) : undefined
  const write =
    last && state
      ? writeOf(held, { state, rules, runs }, last.offset, [...outbox, ...produced], context)
      : undefined
  return {
    id: held.id,
    heldAt: held.offset,
    before,
    warmed,
    events: fresh,
    outcomes,
    rules,
    emissions: [...answered, ...produced],
    counted,
    write:
      write && last && rules && counted ? { ...write, counts: fieldsOf(counted, rules, last.timeMs) } : write,
  }
}

interface FoldedEvents {
  readonly before: SessionState | undefined
  readonly warmed: Folded['warmed']
  readonly state: SessionState | undefined
  readonly outcomes: readonly Outcome[]
  readonly rules: Rules | undefined
  readonly runs: readonly RunAt[]
}

function foldEvents(held: Held, events: readonly SessionEvent[], context: FoldContext): FoldedEvents {
  const { view, fleet } = context
  const { before, warmed, rules } = stateBefore(held, context)
  const tenant = tenantOf(held.id)
  const runs: RunAt[] = []
  const outcomes: Outcome[] = []
  let facts = view.factsFor(tenant, before?.agent ?? '')
  let state = before
  for (const each of events) {
    const { record, event } = each
    const readings = fleet.of(held.id, each, state, rules)
    const known = readings ? { ...facts, readings } : facts
    const outcome = stepSafely(state, logged(event, record.timeMs), rules, known)
    outcomes.push(outcome)
    if (rules)
      for (const run of fleetRuns(state, outcome.state, rules)) runs.push({ ...run, offset: record.offset })
    if (!state && outcome.state) facts = view.factsFor(tenant, outcome.state.agent)
    state = outcome.state
  }
  return { before, warmed, state, outcomes, rules, runs }
}

type StateContext = Pick<FoldContext, 'view' | 'rulesCache' | 'warmth'>

/** The state before a session's next event, and its rules. */
export function stateBefore(
  held: Held,
  context: StateContext,
): Pick<FoldedEvents, 'before' | 'warmed' | 'rules'> {
  const { view, rulesCache } = context
  const { before, warmed } = upgradedPins(held, context)
  return { before, warmed, rules: rulesCache.rules(before?.pins ?? view.activeOver(rulesCache.defaults)) }
}

/** A control change may have moved the session to other versions since its last event. */
function upgradedPins(
  held: Held,
  { view, rulesCache, warmth }: StateContext,
): Pick<FoldedEvents, 'before' | 'warmed'> {
  const { state, offset } = held
  if (!state) return { before: undefined, warmed: undefined }
  const moved = repinned({ state, offset }, view)
  const isAnother = moved.pins.policy !== state.pins.policy
  if (!isAnother || (rulesCache.rules(moved.pins)?.memory.cells ?? 0) === 0)
    return { before: moved, warmed: undefined }
  const memory = warmth(held)
  return memory ? { before: adopt(moved, memory), warmed: 'log' } : { before: moved, warmed: 'record' }
}

/** The state under the versions that the session has now. */
export function repinned(
  { state, offset }: { readonly state: SessionState; readonly offset: bigint },
  view: ControlView,
): SessionState {
  const pins = view.upgradedVersions(state.pins, offset)
  return pins === state.pins ? state : repin(state, pins)
}

/** The engine is total. Should it throw anyway, the event is refused and the partition continues. */
export function stepSafely(
  state: SessionState | undefined,
  input: LoggedEvent,
  rules: Rules | undefined,
  facts: Facts,
): Outcome {
  try {
    return step(state, input, rules, facts)
  } catch (error) {
    const message = `the engine failed on this event: ${String(error).slice(0, 200)}`
    return refuse(state, input, { code: 'engine_failed', message }, facts)
  }
}

/** An unreadable record is overwritten by a rebuild only: a session never restarts at safe. */
function refuseAll(
  { id }: Held,
  events: readonly SessionEvent[],
  { view, rulesCache }: FoldContext,
): FoldedEvents {
  const fault = {
    code: 'session_state_lost',
    message: `the record of session \`${id}\` cannot be read`,
  } as const
  const facts = view.factsFor(tenantOf(id), '')
  return {
    before: undefined,
    warmed: undefined,
    state: undefined,
    outcomes: events.map(({ record, event }) =>
      refuse(undefined, logged(event, record.timeMs), fault, facts),
    ),
    rules: rulesCache.rules(rulesCache.defaults),
    runs: [],
  }
}

function emissionOf(offset: bigint, outcome: Outcome | undefined): Emission[] {
  if (!outcome?.decision && !outcome?.fault) return []
  const { decision, fault } = outcome
  return [
    {
      offset,
      decision: decision && JSON.stringify(decision),
      fault: fault && { code: fault.code, message: fault.message },
    },
  ]
}

function writeOf(
  { id, revision }: Held,
  { state, rules, runs }: Pick<FoldedEvents, 'rules' | 'runs'> & { readonly state: SessionState },
  offset: bigint,
  emissions: readonly Emission[],
  { lifetimes, partition, fleet }: FoldContext,
): RecordWrite {
  return {
    id,
    expected: revision,
    body: bodyOf(offset, encodeState(state)),
    outbox: encodeOutbox(emissions),
    ...lifeOf(state, partition, lifetimes, rules),
    ...(runs.length > 0 && { fleet: fleet.counts(id, runs) }),
  }
}

/** The state that the specs of a session's new policy keep of it; undefined if the log does not provide it. */
export type Warmth = (held: Held) => CandidateMemory | undefined

export interface Lifetimes {
  /** A session without events ends after this. */
  readonly idleTtlMs: number
  /** How long the record of an ended session is kept. */
  readonly endedTtlMs: number
  /** Whether deadlines are published. Otherwise nothing would remove sessions from the due sets. */
  readonly withDeadlines: boolean
}

/** How long a record outlives the idle time of its session, so that the session ends by an event even after an outage. */
const MARGIN_MS = 3_600_000

/** Expiry and due times of the record of `state`, judged by `rules`. Source: docs/decisions/20261121-time.md. */
function lifeOf(
  state: SessionState,
  partition: number,
  lifetimes: Lifetimes,
  rules: Rules | undefined,
): Pick<RecordWrite, 'ttlMs' | 'due'> {
  const ttlMs = ttlOf(state, lifetimes)
  if (!lifetimes.withDeadlines) return { ttlMs }
  if (state.ended) return { ttlMs, due: { partition } }
  const idleMs = state.time + ttlMs
  return { ttlMs: ttlMs + MARGIN_MS, due: { ...nextDeadline(state, rules), partition, idleMs } }
}

/** A pending approval keeps the record until it expires, whatever the idle time. */
function ttlOf(state: SessionState, { idleTtlMs, endedTtlMs }: Lifetimes): number {
  if (state.ended) return endedTtlMs
  let ttlMs = idleTtlMs
  for (const call of state.calls)
    if (call.status === 'pending') ttlMs = Math.max(ttlMs, call.expiresAt - state.time)
  return ttlMs
}
