import { type Event, type EventOf, type EventType, decisionSchema, logged } from '@plimsoll/contracts'
import { deadlineIdOf } from './events/deadline.js'
import { type Facts, type Rules, NO_FACTS } from './rules.js'
import { sampleRules } from './sample-rules.js'
import { findCall, pendingOf } from './state/calls.js'
import type { SessionState } from './state/session.js'
import { step } from './step.js'
import type { Outcome } from './verdict/outcome.js'

type Body<T extends EventType> = Partial<Omit<EventOf<T>, 'type' | 'schema'>>

export const DIGEST = 'd'.repeat(64)

/** One whole event, for tests; ids tell it from others of its session. */
export function eventOf<T extends EventType>(type: T, seq: number, body: Body<T> = {}): EventOf<T> {
  const envelope = { schema: 1, id: `e${seq}`, sessionId: 's', producer: 'agent', seq, time: 0, type }
  return { ...envelope, ...DEFAULTS[type], ...body } as unknown as EventOf<T>
}

const DEFAULTS: Readonly<Record<EventType, object>> = {
  'session.started': {},
  'session.instructed': {},
  'step.proposed': { callId: 'c1', tool: 'read_public', argumentsDigest: DIGEST },
  'step.completed': { callId: 'c1', tool: 'read_public', outcome: 'ok' },
  'session.ended': {},
  'approval.resolved': {
    decisionId: 's#e1#step',
    argumentsDigest: DIGEST,
    expiresAt: 0,
    resolution: 'approved',
    by: 'ann',
    signature: DIGEST,
    producer: 'console',
  },
  'deadline.reached': {
    due: { kind: 'idle', lastEventAt: 0 },
    dueAt: 0,
    signature: DIGEST,
    producer: 'monitor',
  },
  'labels.refined': {
    decisionId: 's#e1#step',
    callId: 'c1',
    tool: 'mystery',
    labels: { capability: 'read', reversibility: 'reversible' },
    effect: 'raise',
    by: 'a model',
    signature: DIGEST,
    producer: 'judge',
  },
  'session.labelled': { violated: true, by: 'ann', signature: DIGEST, producer: 'console' },
  'declassification.granted': {
    spec: 'no-leaks',
    by: 'ann',
    reason: 'looked at it',
    signature: DIGEST,
    producer: 'console',
  },
}

interface SampleOptions {
  readonly rules?: Rules
  readonly category?: string
  readonly agent?: string
  readonly started?: Body<'session.started'>
}

/**
 * A session that numbers its events by itself, for tests. Each decision is checked against the contract as it is made; the last
 * state is at hand as `state`. Time goes on by a second with each event, or to `atMs`.
 */
export function createSampleSession(options: SampleOptions = {}) {
  const { rules = sampleRules(), category = 'data', agent = '', started = {} } = options
  let state: SessionState | undefined
  let seq = 0
  let clock = 0
  let under: Rules | undefined = rules
  let facts: Facts = NO_FACTS

  function feed(event: Event, atMs = clock + 1000): Outcome {
    clock = atMs
    const outcome = step(state, logged(event, atMs), under, facts)
    if (outcome.decision) decisionSchema.parse(outcome.decision)
    state = outcome.state
    return outcome
  }
  /** As anyone who was asked was told it; 0 where nothing waits. */
  const endOf = (decisionId: string) => ({
    expiresAt: (state && pendingOf(state, decisionId)?.expiresAt) ?? 0,
  })
  /** What ran is what was let run, where nothing else is said. */
  const toolOf = (callId: string) => {
    const call = state && findCall(state, callId)
    return call?.status === 'open' && { tool: call.tool }
  }
  const session = {
    feed,
    get state(): SessionState {
      if (!state) throw new Error('the session has not begun')
      return state
    },
    /** Rules for the events to come; undefined: the pinned versions are not at hand. */
    use: (next: Rules | undefined) => (under = next),
    /** What is told from outside from now on. */
    report: (next: Facts) => (facts = next),
    propose: (tool: string, body: Body<'step.proposed'> = {}, atMs?: number) =>
      feed(eventOf('step.proposed', seq, { callId: `c${seq++}`, tool, ...body }), atMs),
    complete: (callId: string, body: Body<'step.completed'> = {}, atMs?: number) =>
      feed(eventOf('step.completed', seq++, { callId, ...toolOf(callId), ...body }), atMs),
    instruct: (body: Body<'session.instructed'> = {}) => feed(eventOf('session.instructed', seq++, body)),
    end: () => feed(eventOf('session.ended', seq++)),
    approve: (decisionId: string, body: Body<'approval.resolved'> = {}, atMs?: number) =>
      feed(
        eventOf('approval.resolved', 0, { id: `a${clock}`, decisionId, ...endOf(decisionId), ...body }),
        atMs,
      ),
    refine: (tool: string, body: Body<'labels.refined'> = {}) =>
      feed(eventOf('labels.refined', 0, { id: `r${clock}`, tool, ...body })),
    label: (body: Body<'session.labelled'> = {}) =>
      feed(eventOf('session.labelled', 0, { id: `l${clock}`, ...body })),
    /** Something came due, and was published as the monitor does. */
    reach: (due: EventOf<'deadline.reached'>['due'], dueAt: number, atMs = dueAt) =>
      feed(eventOf('deadline.reached', 0, { id: deadlineIdOf(due), due, dueAt }), atMs),
  }
  feed(eventOf('session.started', seq++, { category, ...(agent !== '' && { agent }), ...started }))
  return session
}

/** `source:code` of each reason of a decision, those that were lifted with a `-` before. */
export function codesOf({ decision }: Outcome): string[] {
  return (decision?.reasons ?? []).map(
    ({ source, code, liftedBy }) => `${liftedBy === undefined ? '' : '-'}${source}:${code}`,
  )
}

/** Ids and sources of a session whose calls are all open. */
export const openCalls = ({ calls }: SessionState) =>
  calls.map((call) => [call.callId, call.status === 'open' ? call.source : call.status])

export type SampleSession = ReturnType<typeof createSampleSession>
