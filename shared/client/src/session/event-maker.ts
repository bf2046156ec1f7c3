import {
  type Event,
  type EventOf,
  EVENT_SCHEMA,
  PlimsollError,
  eventSchema,
  formatIssues,
  isId,
  isToolName,
} from '@plimsoll/contracts'
import type { StepCall } from '../observe/handover-tracker.js'

type Proposal = EventOf<'step.proposed'>
type Completion = EventOf<'step.completed'>
type Envelope = 'schema' | 'id' | 'sessionId' | 'producer' | 'seq' | 'time' | 'type'
type Members<E extends Event> = Omit<E, Envelope>
type OtherType = Exclude<Event['type'], 'step.proposed' | 'step.completed'>

export interface EventMakerOptions {
  readonly sessionId: string
  readonly producer: string
  /** Returns an event id that was never used before. */
  readonly nextId: () => string
  readonly now: () => number
}

export type EventMaker = ReturnType<typeof createEventMaker>

/**
 * Drafts a session's events, numbered from 0. Only `commit` uses up a number: a number that never reaches the monitor would be a gap
 * forever. Every draft throws `schema_invalid`, listing all problems, for values that no event can hold.
 */
export function createEventMaker({ sessionId, producer, nextId, now }: EventMakerOptions) {
  const schema = EVENT_SCHEMA
  let seq = 0
  // Proposals and completions are written out: spreading objects costs more than judging the step. What this process read of their texts
  // is no value of the caller and is added after the check, which would take longer than the reading.
  return {
    draft: <T extends OtherType>(type: T, members: Members<EventOf<T>>): EventOf<T> =>
      checked({
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type,
        ...members,
      } as EventOf<T>),
    /** `isClaimed`: whether labels are the caller's, alone or joined with what was read. */
    proposed: (call: StepCall, withoutVerdict?: Proposal['withoutVerdict'], isClaimed = true): Proposal => {
      const event: Proposal = {
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type: 'step.proposed',
        callId: call.callId,
        tool: call.tool,
        argumentsDigest: call.argumentsDigest,
        arguments: call.arguments,
        argumentsSalt: call.argumentsSalt,
        labels: call.labels,
        evidence: call.evidence,
        fingerprints: undefined,
        addressed: undefined,
        link: undefined,
        recipients: undefined,
        files: undefined,
        gives: undefined,
        effects: undefined,
        changes: undefined,
        made: undefined,
        scripts: undefined,
        runs: undefined,
        runFiles: undefined,
        programs: undefined,
        signals: undefined,
        withoutVerdict,
        inherits: call.inherits,
      }
      const drafted = isBare(event, isClaimed) ? event : checked(event)
      drafted.fingerprints = call.fingerprints
      drafted.addressed = call.addressed
      drafted.link = call.link
      drafted.recipients = call.recipients
      drafted.files = call.files
      drafted.gives = call.gives
      drafted.effects = call.effects
      drafted.changes = call.changes
      drafted.made = call.made
      drafted.scripts = call.scripts
      drafted.runs = call.runs
      drafted.runFiles = call.runFiles
      drafted.programs = call.programs
      drafted.signals = call.signals
      return drafted
    },
    completed: (
      { callId, tool }: Pick<Completion, 'callId' | 'tool'>,
      report: Omit<Members<Completion>, 'callId' | 'tool'>,
    ): Completion => {
      const event: Completion = {
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type: 'step.completed',
        callId,
        tool,
        outcome: report.outcome,
        argumentsDigest: report.argumentsDigest,
        labels: report.labels,
        taint: report.taint,
        fingerprints: undefined,
        instructed: undefined,
        linkParts: undefined,
        messages: undefined,
        payees: undefined,
        records: undefined,
        scripts: undefined,
        // A related session's signals come from the caller.
        signals: report.inherits && report.signals,
        inherits: report.inherits,
      }
      const drafted = isBare(event, true) ? event : checked(event)
      drafted.fingerprints = report.fingerprints
      drafted.instructed = report.instructed
      drafted.linkParts = report.linkParts
      drafted.messages = report.messages
      drafted.payees = report.payees
      drafted.records = report.records
      drafted.scripts = report.scripts
      drafted.signals = report.signals
      return drafted
    },
    /** To be called when the last draft is sent. */
    commit: (): void => void seq++,
  }
}

/** Members of a step's events that hold values of the caller. */
const CALLER_MEMBERS = ['arguments', 'evidence', 'signals', 'withoutVerdict', 'inherits', 'taint'] as const

/** Whether an event holds no values of its caller but two names. Only these are checked then: the schema takes as long as the engine. */
function isBare(event: Proposal | Completion, isClaimed: boolean): boolean {
  const given: { readonly [K in (typeof CALLER_MEMBERS)[number]]?: unknown } = event
  if (isClaimed && event.labels !== undefined) return false
  for (const name of CALLER_MEMBERS) if (given[name] !== undefined) return false
  if (event.type === 'step.completed' && event.outcome !== 'ok' && event.outcome !== 'error') return false
  return isId(event.callId) && isToolName(event.tool)
}

function checked<E extends Event>(event: E): E {
  const result = eventSchema.safeParse(event)
  if (result.success) return result.data as E
  throw new PlimsollError('schema_invalid', `\`${event.type}\`: ${formatIssues(result.error, 'event')}`)
}
