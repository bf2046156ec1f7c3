import { logged, tenantOf } from '@plimsoll/contracts'
import { type CandidateMemory, EMPTY_CANDIDATE_MEMORY, updateCandidateMemory } from '@plimsoll/comparison'
import {
  type ControlView,
  type Rules,
  type SessionState,
  controlsBefore,
  createControlView,
} from '@plimsoll/engine'
import type { LogRecord } from '@plimsoll/runtime'
import type { HistoryOrder, StoreContext } from '../context.js'
import type { HeldControls } from '../controls/record.js'
import { repinned, stepSafely } from '../fold/fold.js'
import type { SessionEvent } from '../records/validate.js'
import { UNRECORDED_FLEET } from './recorded-readings.js'
import { contended } from './run.js'
import { windowOf } from './window.js'

/** A session as the log tells it from its start, and what the policy that it moves to remembers of it. */
export interface History {
  /** Of the last event that is in it. */
  readonly offset: bigint
  readonly state: SessionState
  readonly followed: CandidateMemory
}
export type Histories = ReadonlyMap<string, History>

type HistoryContext = Pick<StoreContext, 'log' | 'topics' | 'rulesCache' | 'lifetimes'>

/**
 * The sessions of a partition that began within the bounds and have not ended, folded as they were: under their own rules, and beside them
 * under those that they move to. Writes nothing. Where time runs out, sessions heard of later are not among them as they stand.
 */
export async function readHistory(
  context: HistoryContext,
  order: HistoryOrder,
): Promise<{ readonly histories: Histories; readonly records: number }> {
  const { log, topics, lifetimes } = context
  const { partition, upTo, timeMs, recordsMax, millisMax, clock, admit, isOwned } = order
  const { idleTtlMs } = lifetimes
  const topic = topics.events
  const window = await windowOf(log, {
    topic,
    partition,
    upTo,
    timeMs,
    reached: undefined,
    idleTtlMs,
    recordsMax,
  })
  const fold = createHistoryFold(context, order)
  /** Counted from the first record: what a log takes to be opened says nothing of how much there is to read. */
  let until: number | undefined
  const stop = new AbortController()
  let records = 0
  const onRecord = (record: LogRecord) => {
    if (stop.signal.aborted) return
    until ??= clock.now() + millisMax
    if (records++ % LOOK_EVERY === 0) {
      // What was not read must not be taken for what is not known: another owner does it.
      if (!isOwned()) throw contended(partition)
      if (clock.now() > until) return stop.abort()
    }
    const admitted = admit(record)
    if (admitted.kind === 'event') fold.take(admitted)
  }
  if (window.from < upTo) {
    const ranges = [{ partition, from: window.from, to: upTo }]
    await log.read(topic, onRecord, { ranges, signal: stop.signal }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
  }
  return { histories: fold.histories, records }
}

const LOOK_EVERY = 64

interface Folding {
  readonly history: History
  /** Those that it moves to. */
  readonly target: Rules
}

function createHistoryFold({ rulesCache }: HistoryContext, { controls, upTo, sessionsMax }: HistoryOrder) {
  const open = new Map<string, Folding>()
  const viewAt = createViews(controls)
  const now = viewAt(upTo)
  /** Those that a session with `pins`, last heard of at `offset`, has now. */
  const targetFor = (pins: SessionState['pins'], offset: bigint) =>
    rulesCache.rules(now.upgradedVersions(pins, offset))

  const begin = ({ event, record }: SessionEvent): void => {
    const view = viewAt(record.offset)
    const pins = view.activeOver(rulesCache.defaults)
    const target = targetFor(pins, record.offset)
    if (event.type !== 'session.started' || open.size >= sessionsMax || !target) return
    const facts = view.factsFor(tenantOf(event.sessionId), event.agent ?? '')
    const input = logged(event, record.timeMs)
    const outcome = stepSafely(undefined, input, rulesCache.rules(pins), facts)
    if (!outcome.state) return
    const followed = updateCandidateMemory(EMPTY_CANDIDATE_MEMORY, undefined, input, outcome, target)
    open.set(event.sessionId, { history: { offset: record.offset, state: outcome.state, followed }, target })
  }
  const goOn = ({ history, target }: Folding, { event, record }: SessionEvent): void => {
    const view = viewAt(record.offset)
    const before = repinned(history, view)
    const rules = rulesCache.rules(before.pins)
    const facts = view.factsFor(tenantOf(event.sessionId), before.agent)
    const readings = UNRECORDED_FLEET.of(event.sessionId, { event, record }, before, rules)
    const input = logged(event, record.timeMs)
    const outcome = stepSafely(before, input, rules, readings ? { ...facts, readings } : facts)
    if (!rules || !outcome.state || outcome.state.ended) return void open.delete(event.sessionId)
    const followed = updateCandidateMemory(history.followed, before, input, outcome, target)
    open.set(event.sessionId, { history: { offset: record.offset, state: outcome.state, followed }, target })
  }
  return {
    take: (reported: SessionEvent): void => {
      const { sessionId } = reported.event
      const known = open.get(sessionId)
      try {
        if (known) goOn(known, reported)
        else begin(reported)
      } catch {
        // What cannot be followed is not known.
        open.delete(sessionId)
      }
    },
    get histories(): Histories {
      return new Map(Array.from(open, ([id, { history }]) => [id, history]))
    },
  }
}

/** The controls that stood at an offset: as many views as there are changes. */
function createViews({ log }: HeldControls): (offset: bigint) => ControlView {
  const offsets = log.changes.map(({ offset }) => BigInt(offset))
  const views = new Map<number, ControlView>()
  return (offset) => {
    const before = offsets.filter((each) => each < offset).length
    const view = views.get(before) ?? createControlView(controlsBefore(log, offset))
    views.set(before, view)
    return view
  }
}
