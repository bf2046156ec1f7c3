import type { StepCall } from '../observe/lineage.js'
import {
  type Event,
  type EventOf,
  EVENT_SCHEMA,
  PlimsollError,
  eventSchema,
  isId,
  isToolName,
} from '@plimsoll/contracts'

type Proposal = EventOf<'step.proposed'>
type Completion = EventOf<'step.completed'>
type Approval = EventOf<'approval.resolved'>

export interface EventMakerOptions {
  readonly sessionId: string
  readonly producer: string
  /** Gives event ids that were never given before. */
  readonly nextId: () => string
  readonly now: () => number
}

/**
 * Drafts a session's events, numbered from 0. A number is used up by `commit` alone: one that never reaches the monitor would be
 * a gap for ever. Every draft throws `schema_invalid`, with every problem, for what no event can hold.
 */
export interface EventMaker {
  started(
    reported: Pick<
      EventOf<'session.started'>,
      'category' | 'found' | 'agent' | 'task' | 'fingerprints' | 'signals' | 'root' | 'inherits' | 'identity'
    >,
  ): Event
  instructed(reported: Pick<EventOf<'session.instructed'>, 'task' | 'fingerprints' | 'signals'>): Event
  proposed(call: StepCall, withoutVerdict?: Proposal['withoutVerdict']): Proposal
  completed(
    call: Pick<Completion, 'callId' | 'tool'>,
    result: Pick<
      Completion,
      | 'outcome'
      | 'argumentsDigest'
      | 'labels'
      | 'taint'
      | 'fingerprints'
      | 'instructed'
      | 'signals'
      | 'inherits'
    >,
  ): Event
  ended(outcome: EventOf<'session.ended'>['outcome']): Event
  resolved(
    approval: Pick<
      Approval,
      'decisionId' | 'argumentsDigest' | 'expiresAt' | 'resolution' | 'by' | 'reason' | 'signature'
    >,
  ): Event
  /** The last draft is going to be sent. */
  commit(): void
}

// The events are written out member by member: spreading objects into each other costs more than judging the step.
export function createEventMaker({ sessionId, producer, nextId, now }: EventMakerOptions): EventMaker {
  const schema = EVENT_SCHEMA
  let seq = 0
  return {
    started: ({ category, found, agent, task, fingerprints, signals, root, inherits, identity }) => {
      const type = 'session.started'
      return checked({
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type,
        category,
        found,
        agent,
        task,
        fingerprints,
        signals,
        root,
        inherits,
        identity,
      })
    },
    instructed: ({ task, fingerprints, signals }) =>
      checked({
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type: 'session.instructed',
        task,
        fingerprints,
        signals,
      }),
    proposed: (call, withoutVerdict) => {
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
        fingerprints: call.fingerprints,
        addressed: call.addressed,
        signals: call.signals,
        withoutVerdict,
        inherits: call.inherits,
      }
      return isBare(event) ? event : checked(event)
    },
    completed: (
      { callId, tool },
      { outcome, argumentsDigest, labels, taint, fingerprints, instructed, signals, inherits },
    ) => {
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
        outcome,
        argumentsDigest,
        labels,
        taint,
        fingerprints,
        instructed,
        signals,
        inherits,
      }
      return isBare(event) ? event : checked(event)
    },
    ended: (outcome) =>
      checked({
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type: 'session.ended',
        outcome,
      }),
    resolved: ({ decisionId, argumentsDigest, expiresAt, resolution, by, reason, signature }) =>
      checked({
        schema,
        id: nextId(),
        sessionId,
        producer,
        seq,
        time: now(),
        type: 'approval.resolved',
        decisionId,
        argumentsDigest,
        expiresAt,
        resolution,
        by,
        reason,
        signature,
      }),
    commit: () => void seq++,
  }
}

/** Members of a step's events in which its caller may have put anything. */
const CALLER_MEMBERS = [
  'arguments',
  'labels',
  'evidence',
  'fingerprints',
  'signals',
  'withoutVerdict',
  'instructed',
  'inherits',
  'taint',
] as const

/** Whether of a step's event nothing but two names comes from its caller, so that these are all there is to check: the schema takes as long as the engine. */
function isBare(event: Proposal | Completion): boolean {
  const given: { readonly [K in (typeof CALLER_MEMBERS)[number]]?: unknown } = event
  for (const name of CALLER_MEMBERS) if (given[name] !== undefined) return false
  if (event.type === 'step.completed' && event.outcome !== 'ok' && event.outcome !== 'error') return false
  return isId(event.callId) && isToolName(event.tool)
}

function checked<E extends Event>(event: E): E {
  const result = eventSchema.safeParse(event)
  if (result.success) return result.data as E
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`)
  throw new PlimsollError('schema_invalid', `\`${event.type}\`: ${problems.join('; ')}`)
}
