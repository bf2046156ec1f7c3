import {
  type ArgumentDigest,
  type Catalogue,
  type Event,
  type EventOf,
  EVENT_SCHEMA,
  PROOF_HEADER,
  TENANT_HEADER,
  createArgumentDigest,
  issueToken,
  lineSchema,
  proofOf,
  sessionKeyOf,
} from '@plimsoll/contracts'
import { type Observer, createObserver, keyOfRoot } from '@plimsoll/labels'
import { type Clock, type OutgoingRecord, systemClock } from '@plimsoll/runtime'
import { createLru } from '../lru.js'
import { type ToolCall, agentIdOf } from '../spans/trace.js'

/** A call begins, or it ends. */
export interface Moment {
  readonly call: ToolCall
  readonly is: 'begin' | 'end'
}

/**
 * Beginnings and ends of `calls` in the order in which they happened. Of those at one time the ends come first, for what begins then may
 * follow from them; but none before its own beginning.
 */
export function inOrder(calls: readonly ToolCall[]): readonly Moment[] {
  const begins = calls.toSorted((a, b) => a.span.startUs - b.span.startUs)
  const open: ToolCall[] = []
  const moments: Moment[] = []
  const endUntil = (timeUs: number): void => {
    open.sort((a, b) => a.span.endUs - b.span.endUs)
    while (open[0] && open[0].span.endUs <= timeUs) moments.push({ call: open.shift() ?? open[0], is: 'end' })
  }
  for (const call of begins) {
    endUntil(call.span.startUs)
    moments.push({ call, is: 'begin' })
    open.push(call)
  }
  endUntil(Number.POSITIVE_INFINITY)
  return moments
}

/** Turns runs of tools into the events of their session. */
export interface SpanMapper {
  /** The records of `calls`, all of one session, in the order in which it happened; with the session's start where it is new here. */
  report(sessionId: string, calls: readonly ToolCall[], agent: string | undefined): readonly OutgoingRecord[]
  /** Notes that the session has been started before. */
  started(sessionId: string): void
}

export interface SpanMapperOptions {
  readonly tenant: string
  readonly catalogue: Catalogue
  /** The deployment's key of fingerprints; without it nothing is told of texts. */
  readonly fingerprintKey?: string | undefined
  /** The deployment's identity key; without it sessions have no token and events no proof. */
  readonly identityKey?: string | undefined
  readonly sessionsMax: number
  readonly clock?: Clock | undefined
}

/** What is kept of a session that was spoken of. */
interface MappedSession {
  readonly observer: Observer | undefined
  readonly digest: ArgumentDigest
  /** By which its events are proved. */
  readonly proofKey: Buffer | undefined
}

/** The principal of every session that spans tell of. */
const PRINCIPAL = 'otel'

/** Of every id that is given here: nobody else begins one so, and anyone who reads the log again knows it. */
export const ID_PREFIX = 'otel.'
const START_ID = `${ID_PREFIX}start`

/**
 * A span can be read again: after a crash, or because its exporter tried twice. So an event's id comes from its span, and each is its own
 * producer, with number 0: the engine then knows it again, and no process needs to know how many another one has sent.
 */
export function createSpanMapper(options: SpanMapperOptions): SpanMapper {
  const { tenant, catalogue, fingerprintKey, identityKey, sessionsMax, clock = systemClock } = options
  const sessions = createLru<MappedSession>(sessionsMax)

  function begin(sessionId: string): MappedSession {
    const key = fingerprintKey === undefined ? undefined : keyOfRoot(fingerprintKey, sessionId)
    const reported = {
      observer: key && createObserver({ catalogue, key }),
      // A span can be read again by another process, whose own key would make another step of it: without a key nothing is told.
      digest: key ? createArgumentDigest(key) : () => DIGEST_OF_NOTHING,
      proofKey: identityKey === undefined ? undefined : sessionKeyOf(sessionId, identityKey),
    }
    sessions.set(sessionId, reported)
    return reported
  }

  function recordOf(event: Event, { span }: ToolCall, { proofKey }: MappedSession): OutgoingRecord {
    const value = JSON.stringify(event)
    const headers = {
      [TENANT_HEADER]: tenant,
      traceparent: `00-${span.traceId}-${span.spanId}-01`,
      ...(proofKey && { [PROOF_HEADER]: proofOf(value, proofKey) }),
    }
    return { key: event.sessionId, value, headers }
  }

  function eventOf(sessionId: string, { call, is }: Moment, reported: MappedSession): Event {
    return is === 'begin' ? proposedOf(sessionId, call, reported) : completedOf(sessionId, call, reported)
  }

  function started(sessionId: string, first: ToolCall, agent: string | undefined): Event {
    const event = startedOf(sessionId, first, agent)
    if (identityKey === undefined) return event
    const { category: cat, agent: agt } = event
    const claims = { sub: PRINCIPAL, sid: sessionId, tenant, cat, agt, iat: Math.floor(clock.now() / 1_000) }
    return { ...event, identity: issueToken(claims, identityKey) }
  }

  return {
    started: (sessionId) => {
      if (!sessions.has(sessionId)) begin(sessionId)
    },
    report: (sessionId, calls, agent) => {
      const [first] = calls
      if (!first) return []
      const known = sessions.get(sessionId)
      const session = known ?? begin(sessionId)
      const reported = inOrder(calls).map((moment) =>
        recordOf(eventOf(sessionId, moment, session), moment.call, session),
      )
      return known ? reported : [recordOf(started(sessionId, first, agent), first, session), ...reported]
    },
  }
}

const envelope = (sessionId: string, id: string, timeUs: number) =>
  ({
    schema: EVENT_SCHEMA,
    id,
    sessionId,
    producer: id,
    seq: 0,
    time: Math.floor(timeUs / 1_000),
  }) as const

function startedOf(
  sessionId: string,
  { span }: ToolCall,
  agent: string | undefined,
): EventOf<'session.started'> {
  const { attributes, resource } = span
  const category = attributes.text('plimsoll.category') ?? resource.text('plimsoll.category')
  return {
    ...envelope(sessionId, START_ID, span.startUs),
    type: 'session.started',
    category: lineSchema(64).safeParse(category).data,
    agent: agentIdOf(agent ?? resource.text('service.name')),
  }
}

function proposedOf(sessionId: string, call: ToolCall, { observer, digest }: MappedSession): Event {
  const { span, tool, description, arguments: values } = call
  const argumentsDigest = digestOrNone(values, digest)
  return {
    ...envelope(sessionId, `${callIdOf(call)}.begin`, span.startUs),
    type: 'step.proposed',
    callId: callIdOf(call),
    tool,
    argumentsDigest,
    ...(values && observer?.proposed({ tool, description, arguments: values })),
  }
}

function completedOf(
  sessionId: string,
  call: ToolCall,
  { observer }: MappedSession,
): EventOf<'step.completed'> {
  const { span, tool, result, outcome } = call
  return {
    ...envelope(sessionId, `${callIdOf(call)}.end`, span.endUs),
    type: 'step.completed',
    callId: callIdOf(call),
    tool,
    outcome,
    ...observer?.completed({ tool, result, outcome }),
  }
}

const callIdOf = ({ span }: ToolCall): string => `${ID_PREFIX}${span.spanId}`

/** Of arguments of which nothing is told. */
const DIGEST_OF_NOTHING = '0'.repeat(64)

/** A span says whatever it likes: what JSON cannot hold, or is nested too deep, has no digest but that of nothing. */
function digestOrNone(values: ToolCall['arguments'], digest: ArgumentDigest): string {
  try {
    return digest(values ?? {})
  } catch {
    return DIGEST_OF_NOTHING
  }
}
