import type { Versions } from '@plimsoll/contracts'
import { PlimsollError } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import type { EventLog, LogRecord } from '@plimsoll/runtime'
import {
  createSessionAssembly,
  OPEN_EVENTS_MAX,
  type LoggedSession,
  type SessionAssembly,
} from '../topic/assemble.js'
import { eventIn } from '../topic/events.js'
import { createLogCensus, type LogCensus } from '../topic/log-census.js'
import { createOutcomes, type Outcomes } from '../topic/outcomes.js'
import { recordsIn, spanOf } from '../topic/records.js'
import type { RecordedTruth } from '../traces/recording.js'
import type { DecisionDiff } from './diff.js'
import { createDiffTally } from './diff-tally.js'
import { judgeLogged, type LoggedJudgement } from './play-beside.js'

export interface WhatIfTopicOptions {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  /** Of events. */
  readonly topic: string
  /** Verifies who said what really happened; without it nobody is believed. */
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
 * somebody said really happened; in memory that does not grow with them.
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
  const tell = () => {
    if (++read % TELL_EVERY === 0)
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
    tell()
  }
  for await (const record of recordsIn(log, topic, span.ranges, signal)) {
    census.records++
    tell()
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

const TELL_EVERY = 500

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

/** Of a session that nobody looked at nothing is known. */
function truthOf(id: string, steps: readonly LoggedJudgement[], outcomes: Outcomes): RecordedTruth {
  const told = outcomes.of(id)
  const at = told?.violated ? steps.findLastIndex(({ callId }) => callId === told.callId) : -1
  const violatedAt = at >= 0 ? at : undefined
  return {
    excluded: steps.length === 0 ? 'no_steps' : told ? undefined : 'label_unknown',
    unsafe: told?.violated ?? false,
    violatedAt,
    hasSteps: !told?.violated || violatedAt !== undefined,
    assumed: false,
    instructedAt: undefined,
    unexecuted: new Set(),
  }
}
