import { PlimsollError, digestOf } from '@plimsoll/contracts'
import type { Rules } from '@plimsoll/engine'
import type { EventLog } from '@plimsoll/runtime'
import { type SessionRows, createRowListener } from '../features/session-rows.js'
import type { FlowSession } from './collected.js'
import type { RecordedTruth } from '../../corpus/recording.js'
import {
  type LogCensus,
  type LoggedSession,
  type SessionAssembly,
  OPEN_EVENTS_MAX,
  createSessionAssembly,
} from '../../corpus/log/assemble.js'
import {
  type LogSpan,
  type Outcomes,
  type SessionOutcome,
  eventIn,
  recordsIn,
} from '../../corpus/log/records.js'
import { playLogged, ranIn } from '../../corpus/log/play-logged.js'
import { INNER_FOLDS } from './training.js'

/** What every session of the log is said to come from. */
export const LOG_SOURCE = 'log'

export interface TopicReading {
  readonly log: Pick<EventLog, 'read'>
  readonly topic: string
  readonly span: LogSpan
  readonly signingKey: string | undefined
  readonly outcomes: Outcomes
  readonly census: LogCensus
  /** Leaves out sessions without an outcome; otherwise they count as safe, like recordings of ordinary work. */
  readonly onlyLabelled: boolean
  readonly signal?: AbortSignal | undefined
  readonly onRecord?: () => void
}

/** A session with what really happened in it. */
export interface JudgedSession {
  readonly session: LoggedSession
  readonly steps: readonly string[]
  readonly truth: RecordedTruth
}

/** The sessions of the log that ended, as they end: in no order over partitions, which may be read beside each other. */
export async function* judgedSessions(reading: TopicReading): AsyncGenerator<JudgedSession> {
  const { log, topic, span, signingKey, outcomes, census, signal, onRecord = () => {} } = reading
  const assemblies = new Map<number, SessionAssembly>()
  const room = Math.ceil(OPEN_EVENTS_MAX / Math.max(1, span.ranges.length))
  for await (const record of recordsIn(log, topic, span.ranges, signal)) {
    census.records++
    onRecord()
    const event = eventIn(record, signingKey)
    if (!event) {
      census.unread++
      continue
    }
    const { partition } = record
    const assembly = assemblies.get(partition) ?? createSessionAssembly(census, { openEventsMax: room })
    assemblies.set(partition, assembly)
    const session = assembly.take(event, record.timeMs)
    if (session) yield judged(session, outcomes.of(session.id), reading)
  }
  for (const assembly of assemblies.values()) assembly.close()
}

function judged(
  session: LoggedSession,
  reported: SessionOutcome | undefined,
  reading: TopicReading,
): JudgedSession {
  const { census, onlyLabelled } = reading
  const { steps, neverRan } = ranIn(session)
  const truth = truthOf(steps, reported, onlyLabelled)
  census.steps += steps.length
  census.neverRan += neverRan
  if (reported) census.labelled++
  if (reported?.violated) census.violated++
  if (truth.violatedAt !== undefined) census.violatedByStep++
  return { session, steps, truth }
}

function truthOf(
  steps: readonly string[],
  reported: SessionOutcome | undefined,
  onlyLabelled: boolean,
): RecordedTruth {
  const at = reported?.violated && reported.callId !== undefined ? steps.lastIndexOf(reported.callId) : -1
  const violatedAt = at >= 0 ? at : undefined
  return {
    excluded: steps.length === 0 ? 'no_steps' : !reported && onlyLabelled ? 'label_unknown' : undefined,
    unsafe: reported?.violated ?? false,
    violatedAt,
    hasSteps: !reported?.violated || violatedAt !== undefined,
    assumed: !reported,
    instructedAt: undefined,
    unexecuted: new Set(),
  }
}

/** The same as what a model of the space `flow` is fitted to. Those that the engine refuses to follow are left out, and counted. */
export async function* flowSessions(reading: TopicReading, rules: Rules): AsyncGenerator<FlowSession> {
  for await (const { session, steps, truth } of judgedSessions(reading)) {
    const rows = rowsOf(session, rules)
    if (!rows) {
      reading.census.unplayable++
      continue
    }
    yield {
      truth,
      about: {
        source: LOG_SOURCE,
        traceId: session.id,
        suite: '',
        task: '',
        model: '',
        category: session.category,
        template: '',
        goal: '',
        attackFold: undefined,
        taskFold: innerFoldOf(session.id),
        split: '',
      },
      category: session.category,
      steps: steps.length,
      rows: () => rows,
    }
  }
}

/** By the id: partitions come in no order, and what is fitted should not hang on it. */
const innerFoldOf = (id: string): number => Number.parseInt(digestOf(id).slice(0, 8), 16) % INNER_FOLDS

function rowsOf(session: LoggedSession, rules: Rules): SessionRows | undefined {
  const listener = createRowListener(rules)
  try {
    playLogged(session, rules, listener)
  } catch (error) {
    if (error instanceof PlimsollError) return undefined
    throw error
  }
  return listener.rows
}
