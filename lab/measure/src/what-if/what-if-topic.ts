import { type Decision, type Event, type Versions, PlimsollError, logged } from '@plimsoll/contracts'
import { type Facts, type Rules, type SessionState, step } from '@plimsoll/engine'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import {
  type LogCensus,
  type LoggedSession,
  type Outcomes,
  type RecordedTruth,
  type SessionAssembly,
  OPEN_EVENTS_MAX,
  createLogCensus,
  createOutcomes,
  createSessionAssembly,
  eventIn,
  proposalsThatRan,
  recordsIn,
  spanOf,
} from '@plimsoll/fit'
import { createDiffTally } from './diff-tally.js'
import type { DecisionDiff, JudgedStep } from './diff.js'
import { observedFacts } from './what-if-files.js'

/** Blocks what in truth never ran, whatever the rules say of it. */
const STOPPED: Facts = Object.freeze({ mode: 'enforce', stop: Object.freeze({ by: 'log' }) })

/** A proposal as two policies judge it. */
export interface LoggedJudgement extends JudgedStep {
  readonly callId: string
}

/**
 * Judges each proposal of a session of the log under two rules, given what really happened: what was completed did run, what never was did
 * not.
 *
 * @throws PlimsollError with what the engine refuses
 */
export function judgeLogged(session: LoggedSession, old: Rules, candidate: Rules): LoggedJudgement[] {
  const candidates = decisionsIn(session, candidate)
  return Array.from(decisionsIn(session, old)).flatMap(([place, decision]) => {
    const other = candidates.get(place)
    const { tool, callId } = decision
    return other ? [{ tool, callId, old: decision, candidate: other }] : []
  })
}

/** The decisions on proposals, by the place of the event. */
function decisionsIn({ events }: LoggedSession, rules: Rules): Map<number, Decision> {
  const ran = proposalsThatRan(events)
  const observed = observedFacts(rules)
  const decisions = new Map<number, Decision>()
  let state: SessionState | undefined
  let seq = 0
  for (const [place, { event, timeMs }] of events.entries()) {
    // One producer, numbered again: what several of them sent is in the order of the log.
    const own = isNumbered(event) ? { ...event, producer: 'log', seq: seq++ } : event
    const received = logged(own, timeMs)
    const judged = step(state, received, rules, observed)
    if (judged.fault) throw new PlimsollError(judged.fault.code, judged.fault.message)
    if (judged.decision?.kind === 'step') decisions.set(place, judged.decision)
    const isStopped = own.type === 'step.proposed' && !ran.has(event)
    state = isStopped ? step(state, received, rules, STOPPED).state : judged.state
  }
  return decisions
}

const isNumbered = ({ type }: Event): boolean => type.startsWith('step.') || type.startsWith('session.')

export interface WhatIfTopicOptions {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  /** Of events. */
  readonly topic: string
  /** Verifies outcomes; without it they are ignored. */
  readonly signingKey?: string | undefined
  /** What a session of `partition` was pinned to in the end that began and ended at these offsets. */
  readonly pinsOf: (partition: number, startedAt: bigint, endedAt: bigint) => Versions
  /** Both sides for a session of these versions; undefined where one of its documents is not at hand. */
  readonly rulesOf: (pins: Versions) => { readonly old: Rules; readonly candidate: Rules } | undefined
  /** Records older than this are left out; milliseconds since 1970. */
  readonly fromMs?: number | undefined
  /** Of each partition at most, the latest. */
  readonly recordsMax: number
  /** Sessions. */
  readonly limit?: number | undefined
  readonly examplesMax: number
  readonly onProgress?: (share: number, sessions: number, steps: number) => void
  readonly signal?: AbortSignal
}

export interface TopicDiff {
  readonly diff: DecisionDiff
  readonly census: LogCensus
  /** Sessions that are left out because a document that they were pinned to is not at hand. */
  readonly unpinned: number
}

/**
 * What a candidate decides otherwise over the sessions of the log that ended, given what really ran in them. Read twice, first for what
 * the outcomes; in constant memory.
 */
export async function whatIfTopic(options: WhatIfTopicOptions): Promise<TopicDiff> {
  const { log, topic, signingKey, recordsMax, fromMs, limit = Infinity, examplesMax, signal } = options
  const span = await spanOf(log, topic, { fromMs, recordsMax })
  const outcomes = createOutcomes(signingKey)
  const census = createLogCensus()
  const tally = createDiffTally(examplesMax)
  const assemblies = new Map<number, SessionAssembly>()
  const openEventsMax = Math.ceil(OPEN_EVENTS_MAX / Math.max(1, span.ranges.length))
  let unpinned = 0
  let read = 0
  const report = () => {
    if (++read % REPORT_EVERY === 0)
      options.onProgress?.(read / Math.max(1, 2 * span.records), tally.sessions, tally.steps)
  }
  const take = (session: LoggedSession, { partition, offset }: LogRecord): void => {
    const rules = options.rulesOf(options.pinsOf(partition, session.startedAt, offset))
    if (!rules) return void unpinned++
    const steps = judged(session, rules, census)
    if (steps) tally.session(session.id, steps, truthOf(session.id, steps, outcomes))
  }
  for await (const record of recordsIn(log, topic, span.ranges, signal)) {
    outcomes.take(record)
    report()
  }
  for await (const record of recordsIn(log, topic, span.ranges, signal)) {
    census.records++
    report()
    const event = eventIn(record, signingKey)
    if (!event) {
      census.unread++
      continue
    }
    const { partition, offset, timeMs } = record
    const assembly =
      assemblies.get(partition) ?? createSessionAssembly(census, { openEventsMax, keepsArguments: true })
    assemblies.set(partition, assembly)
    const session = assembly.take(event, timeMs, offset)
    if (session) take(session, record)
    if (tally.sessions >= limit) break
  }
  for (const assembly of assemblies.values()) assembly.close()
  return { diff: tally.figures(), census, unpinned }
}

const REPORT_EVERY = 500

/** Undefined for a session that the engine refuses to follow. */
function judged(
  session: LoggedSession,
  { old, candidate }: { readonly old: Rules; readonly candidate: Rules },
  census: LogCensus,
): LoggedJudgement[] | undefined {
  try {
    return judgeLogged(session, old, candidate)
  } catch (error) {
    if (!(error instanceof PlimsollError)) throw error
    census.unplayable++
    return undefined
  }
}

/** The truth of a session without an outcome. */
function truthOf(id: string, steps: readonly LoggedJudgement[], outcomes: Outcomes): RecordedTruth {
  const reported = outcomes.of(id)
  const at = reported?.violated ? steps.findLastIndex(({ callId }) => callId === reported.callId) : -1
  const violatedAt = at >= 0 ? at : undefined
  return {
    excluded: steps.length === 0 ? 'no_steps' : reported ? undefined : 'label_unknown',
    unsafe: reported?.violated ?? false,
    violatedAt,
    hasSteps: !reported?.violated || violatedAt !== undefined,
    assumed: false,
    instructedAt: undefined,
    unexecuted: new Set(),
  }
}
