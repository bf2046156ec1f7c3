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
import { type Lifetimes, lifeOf } from './lifetime.js'

/** What sessions are folded on. */
export interface FoldContext {
  readonly rulesCache: Pick<RulesCache, 'rules' | 'defaults'>
  /** The controls that stand for the events folded. */
  readonly view: ControlView
  readonly partition: number
  readonly lifetimes: Lifetimes
  readonly isCounted: IsCounted
  readonly fleet: FleetReadings
  /** Offset of the chunk's first record: everything below it is committed. */
  readonly chunkStart: bigint
  /** What the log tells of sessions that move to another policy. */
  readonly warmth: Warmth
}

/** What a session's events of one chunk come to. */
export interface Folded {
  readonly id: string
  /** Offset of the last of its events that was folded before these. */
  readonly heldAt: bigint
  /** The state that the first of `events` met. */
  readonly before: SessionState | undefined
  /** Where what its specs remember comes from, where it has moved to another policy. */
  readonly warmed: 'log' | 'record' | undefined
  /** The events folded again, each with what it came to. Those answered from the outbox are not among them. */
  readonly events: readonly SessionEvent[]
  readonly outcomes: readonly Outcome[]
  /** What it was judged by; undefined where that is not at hand. */
  readonly rules: Rules | undefined
  /** One for each event that gives anything, in log order. */
  readonly emissions: readonly Emission[]
  /** What the events tell of how the session goes, where it is counted: added up with its write. */
  readonly counted: SessionTransitions | undefined
  /** Events that were folded before and whose answers are long committed. */
  readonly skipped: number
  /** What must be stored before anything is published; undefined where there is nothing to store. */
  readonly write: RecordWrite | undefined
}

/**
 * Folds `events` (log order) into what is `held` of their session. Pure but for the rulesCache. Events at or below the stored offset are
 * answered from the outbox. Source: docs/decisions/20261121-delivery-order.md.
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
    skipped: events.length - fresh.length - answered.length,
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
    const reported = readings ? { ...facts, readings } : facts
    const outcome = stepSafely(state, logged(event, record.timeMs), rules, reported)
    outcomes.push(outcome)
    if (rules)
      for (const run of fleetRuns(state, outcome.state, rules)) runs.push({ ...run, offset: record.offset })
    if (!state && outcome.state) facts = view.factsFor(tenant, outcome.state.agent)
    state = outcome.state
  }
  return { before, warmed, state, outcomes, rules, runs }
}

type StateContext = Pick<FoldContext, 'view' | 'rulesCache' | 'warmth'>

/** The state that a session's next event meets, and what it is judged by. */
export function stateBefore(
  held: Held,
  context: StateContext,
): Pick<FoldedEvents, 'before' | 'warmed' | 'rules'> {
  const { view, rulesCache } = context
  const { before, warmed } = upgradedPins(held, context)
  return { before, warmed, rules: rulesCache.rules(before?.pins ?? view.activeOver(rulesCache.defaults)) }
}

/** A change may have moved the running sessions since this one was last heard of. */
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
  const followed = warmth(held)
  return followed ? { before: adopt(moved, followed), warmed: 'log' } : { before: moved, warmed: 'record' }
}

/** The session under the rules that it has now. */
export function repinned(
  { state, offset }: { readonly state: SessionState; readonly offset: bigint },
  view: ControlView,
): SessionState {
  const pins = view.upgradedVersions(state.pins, offset)
  return pins === state.pins ? state : repin(state, pins)
}

/** The engine is total; should it fail all the same, the event is refused and the partition goes on. */
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

/** A record that cannot be read is written over by a rebuild alone: a session never starts again at safe. */
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

/** What a session that moves to another policy has done, as that policy's specs remember it; undefined where the log does not tell. */
export type Warmth = (held: Held) => CandidateMemory | undefined
