import { type CandidateMemory, EMPTY_CANDIDATE_MEMORY, updateCandidateMemory } from '@plimsoll/comparison'
import { type Topics, type Versions, logged, tenantOf } from '@plimsoll/contracts'
import {
  type ControlView,
  type Rules,
  type SessionState,
  controlsBefore,
  createControlView,
  encodeState,
  repin,
} from '@plimsoll/engine'
import type { RulesCache } from '@plimsoll/policy'
import type { Clock, EventLog, LogRecord, Logger } from '@plimsoll/runtime'
import type { HeldControls } from '../controls/record.js'
import { type Lifetimes, type Warmth, repinned, stepSafely } from '../fold/fold.js'
import { type Held, contended } from '../records/progress.js'
import type { MonitorLimits } from '../records/quota.js'
import type { SessionEvent, ValidatedRecord } from '../records/validate.js'
import { UNRECORDED_FLEET } from './recorded-readings.js'
import { windowOf } from './window.js'

export interface WarmStartContext {
  readonly log: EventLog
  readonly topics: Topics
  readonly rulesCache: RulesCache
  readonly lifetimes: Lifetimes
  readonly limits: MonitorLimits
  readonly logger: Logger
  readonly clock: Clock
  readonly admit: (record: LogRecord) => ValidatedRecord
}

export interface WarmOrder {
  readonly partition: number
  /** Exclusive. */
  readonly upTo: bigint
  /** Append time at `upTo`. */
  readonly timeMs: number
  /** The controls at `upTo`. */
  readonly controls: HeldControls
  readonly isOwned: () => boolean
  readonly held: readonly Held[]
  readonly view: ControlView
}

/** A session replayed from its start, with the state that the specs of its new policy keep of it. */
interface History {
  /** Of its last event. */
  readonly offset: bigint
  readonly state: SessionState
  readonly memory: CandidateMemory
}

export type WarmStart = ReturnType<typeof createWarmStart>

/**
 * Rebuilds, from the log, the state that the specs of a policy keep of sessions that are moved to it. Source:
 * docs/explanation/live-sessions.md.
 */
export function createWarmStart(context: WarmStartContext) {
  const { rulesCache, clock, logger } = context
  /** What was read for the latest change of a partition. */
  const read = new Map<
    number,
    { readonly change: string; readonly histories: ReadonlyMap<string, History> }
  >()

  /** Whether `held` is moved to a policy whose specs keep state. */
  const isMoved = ({ state, offset }: Held, view: ControlView): boolean => {
    if (!state || state.ended) return false
    const pins = view.upgradedVersions(state.pins, offset)
    return pins.policy !== state.pins.policy && (rulesCache.rules(pins)?.memory.cells ?? 0) > 0
  }
  const historiesFor = async (order: WarmOrder) => {
    const { partition } = order
    const change = controlsBefore(order.controls.log, order.upTo).running.policy?.offset ?? ''
    const known = read.get(partition)
    if (known?.change === change) return known.histories
    const began = clock.now()
    const { histories, records } = await readHistory(context, order)
    const millis = clock.now() - began
    logger.info('replayed the log for sessions that move to another policy', {
      partition,
      records,
      sessions: histories.size,
      millis,
    })
    read.set(partition, { change, histories })
    return histories
  }
  return {
    /** Replays the log if any of `held` moves: at most once for a change of a partition, and bounded. */
    prepare: async (order: WarmOrder): Promise<Warmth> => {
      if (!order.held.some((held) => isMoved(held, order.view))) return () => undefined
      const histories = await historiesFor(order)
      return ({ id, state, offset }) => {
        const history = histories.get(id)
        if (!history || !state || history.offset !== offset) return undefined
        // If the replay led to another state, it is not what the session was judged on.
        return withoutMemory(history.state) === withoutMemory(state) ? history.memory : undefined
      }
    },
    /** Other owners may have had our partitions. */
    reset: () => read.clear(),
  }
}

/** The state without what specs of earlier policies keep. */
const withoutMemory = (state: SessionState): string => encodeState(repin(state, NO_VERSIONS))
const NO_VERSIONS: Versions = { bundle: '', policy: '', catalogue: '' }

const CHECK_EVERY = 64

/**
 * Replays the sessions of a partition that started within the bounds and have not ended: under their own rules, and beside them under the
 * rules that they move to. Writes nothing. When time runs out, later sessions are missing.
 */
async function readHistory(
  context: WarmStartContext,
  order: WarmOrder,
): Promise<{ readonly histories: ReadonlyMap<string, History>; readonly records: number }> {
  const { log, topics, lifetimes, limits, clock, admit } = context
  const { partition, upTo, timeMs, isOwned } = order
  const { from } = await windowOf(log, {
    topic: topics.events,
    partition,
    upTo,
    timeMs,
    reached: undefined,
    idleTtlMs: lifetimes.idleTtlMs,
    recordsMax: limits.warmStartRecordsMax,
  })
  const histories = createHistories(rulesOf(context, order), limits.warmStartSessionsMax)
  /** Counted from the first record: the time to open the log is not reading time. */
  let until: number | undefined
  const stop = new AbortController()
  let records = 0
  const onRecord = (record: LogRecord) => {
    if (stop.signal.aborted) return
    until ??= clock.now() + limits.warmStartMillisMax
    if (records++ % CHECK_EVERY === 0) {
      if (!isOwned()) throw contended(partition)
      if (clock.now() > until) return stop.abort()
    }
    const admitted = admit(record)
    if (admitted.kind === 'event') histories.take(admitted)
  }
  if (from < upTo)
    await log
      .read(topics.events, onRecord, { ranges: [{ partition, from, to: upTo }], signal: stop.signal })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) throw error
      })
  return { histories: histories.open, records }
}

interface HistoryRules {
  viewAt(offset: bigint): ControlView
  rules(pins: Versions): Rules | undefined
  /** The rules that a session with `pins`, last seen at `offset`, has now. */
  target(pins: Versions, offset: bigint): Rules | undefined
  readonly defaults: Versions
}

function rulesOf({ rulesCache }: WarmStartContext, { controls, upTo }: WarmOrder): HistoryRules {
  const offsets = controls.log.changes.map(({ offset }) => BigInt(offset))
  /** As many views as there are changes. */
  const views = new Map<number, ControlView>()
  const viewAt = (offset: bigint) => {
    const before = offsets.filter((each) => each < offset).length
    const view = views.get(before) ?? createControlView(controlsBefore(controls.log, offset))
    views.set(before, view)
    return view
  }
  const now = viewAt(upTo)
  return {
    viewAt,
    rules: rulesCache.rules,
    target: (pins, offset) => rulesCache.rules(now.upgradedVersions(pins, offset)),
    defaults: rulesCache.defaults,
  }
}

function createHistories({ viewAt, rules, target, defaults }: HistoryRules, sessionsMax: number) {
  const open = new Map<string, History & { readonly target: Rules }>()
  const take = ({ event, record }: SessionEvent): void => {
    const { sessionId } = event
    const { offset } = record
    const known = open.get(sessionId)
    if (!known && (event.type !== 'session.started' || open.size >= sessionsMax)) return
    const view = viewAt(offset)
    const before = known && repinned(known, view)
    const pins = before?.pins ?? view.activeOver(defaults)
    const own = rules(pins)
    const next = known?.target ?? target(pins, offset)
    if (!next) return
    const agent = before?.agent ?? (event.type === 'session.started' ? event.agent : undefined) ?? ''
    const facts = view.factsFor(tenantOf(sessionId), agent)
    const readings = before && UNRECORDED_FLEET.of(sessionId, { event, record }, before, own)
    const input = logged(event, record.timeMs)
    const outcome = stepSafely(before, input, own, readings ? { ...facts, readings } : facts)
    const { state } = outcome
    if (!state || (before && (!own || state.ended))) return void open.delete(sessionId)
    const memory = updateCandidateMemory(
      known?.memory ?? EMPTY_CANDIDATE_MEMORY,
      before,
      input,
      outcome,
      next,
    )
    open.set(sessionId, { offset, state, memory, target: next })
  }
  return {
    open,
    take: (each: SessionEvent): void => {
      try {
        take(each)
      } catch {
        // A session that cannot be replayed is unknown.
        open.delete(each.event.sessionId)
      }
    },
  }
}
