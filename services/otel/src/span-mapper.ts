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
import { LRUCache } from 'lru-cache'
import { type ToolCall, agentIdOf } from './trace.js'

/** The start or end of a tool call. */
interface Moment {
  readonly call: ToolCall
  readonly is: 'begin' | 'end'
}

/**
 * Starts and ends of `calls` in time order. At equal times ends come first, because what starts then may follow from them; but no call
 * ends before its own start.
 */
function inOrder(calls: readonly ToolCall[]): readonly Moment[] {
  const open: ToolCall[] = []
  const moments: Moment[] = []
  const endUntil = (timeUs: number): void => {
    open.sort((a, b) => a.span.endUs - b.span.endUs)
    while (open[0] && open[0].span.endUs <= timeUs) moments.push({ call: open.shift() ?? open[0], is: 'end' })
  }
  for (const call of calls.toSorted((a, b) => a.span.startUs - b.span.startUs)) {
    endUntil(call.span.startUs)
    moments.push({ call, is: 'begin' })
    open.push(call)
  }
  endUntil(Number.POSITIVE_INFINITY)
  return moments
}

export interface SpanMapperOptions {
  readonly tenant: string
  readonly catalogue: Catalogue
  /** The deployment's fingerprint key; without it nothing is reported of texts. */
  readonly fingerprintKey?: string | undefined
  /** The deployment's identity key; without it sessions have no token and events no proof. */
  readonly identityKey?: string | undefined
  readonly sessionsMax: number
  readonly clock?: Clock | undefined
}

interface MappedSession {
  readonly observer: Observer | undefined
  readonly digest: ArgumentDigest
  readonly proofKey: Buffer | undefined
}

/** The principal of all sessions from spans. */
const PRINCIPAL = 'otel'

/** Prefix of all event ids made here, by which they are recognised in the log. */
export const ID_PREFIX = 'otel.'
const START_ID = `${ID_PREFIX}start`

export type SpanMapper = ReturnType<typeof createSpanMapper>

/**
 * Turns tool calls into the events of their session. A span can be read again, after a crash or because its exporter retried. So an
 * event's id derives from its span, and each event is its own producer with number 0: the engine recognises repeats without any
 * process knowing how many events another one has sent.
 */
export function createSpanMapper(options: SpanMapperOptions) {
  const { tenant, catalogue, fingerprintKey, identityKey, sessionsMax, clock = systemClock } = options
  const sessions = new LRUCache<string, MappedSession>({ max: sessionsMax })

  function open(sessionId: string): MappedSession {
    const key = fingerprintKey === undefined ? undefined : keyOfRoot(fingerprintKey, sessionId)
    const session = {
      observer: key && createObserver({ catalogue, key }),
      // Without a shared key two processes that read the same span would digest it differently and make two steps of it.
      digest: key ? createArgumentDigest(key) : () => EMPTY_DIGEST,
      proofKey: identityKey === undefined ? undefined : sessionKeyOf(sessionId, identityKey),
    }
    sessions.set(sessionId, session)
    return session
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

  function startedOf(sessionId: string, { span }: ToolCall, agent: string | undefined): Event {
    const { attributes, resource } = span
    const category = attributes.text('plimsoll.category') ?? resource.text('plimsoll.category')
    const event: EventOf<'session.started'> = {
      ...envelope(sessionId, START_ID, span.startUs),
      type: 'session.started',
      category: lineSchema(64).safeParse(category).data,
      agent: agentIdOf(agent ?? resource.text('service.name')),
    }
    if (identityKey === undefined) return event
    const { category: cat, agent: agt } = event
    const claims = { sub: PRINCIPAL, sid: sessionId, tenant, cat, agt, iat: Math.floor(clock.now() / 1_000) }
    return { ...event, identity: issueToken(claims, identityKey) }
  }

  return {
    /** Notes that a session has been started before. */
    started: (sessionId: string): void => {
      if (!sessions.has(sessionId)) open(sessionId)
    },
    /** Records of `calls`, all of one session, in time order; with the session's start if it is new here. */
    map: (
      sessionId: string,
      calls: readonly [ToolCall, ...ToolCall[]],
      agent: string | undefined,
    ): readonly OutgoingRecord[] => {
      const known = sessions.get(sessionId)
      const session = known ?? open(sessionId)
      const records = inOrder(calls).map((moment) =>
        recordOf(eventOf(sessionId, moment, session), moment.call, session),
      )
      const [first] = calls
      return known ? records : [recordOf(startedOf(sessionId, first, agent), first, session), ...records]
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

function eventOf(sessionId: string, { call, is }: Moment, { observer, digest }: MappedSession): Event {
  const { span, tool, description, arguments: values, result, outcome } = call
  const callId = `${ID_PREFIX}${span.spanId}`
  if (is === 'begin')
    return {
      ...envelope(sessionId, `${callId}.begin`, span.startUs),
      type: 'step.proposed',
      callId,
      tool,
      argumentsDigest: digestOrEmpty(values, digest),
      ...(values && observer?.proposed({ tool, description, arguments: values })),
    }
  return {
    ...envelope(sessionId, `${callId}.end`, span.endUs),
    type: 'step.completed',
    callId,
    tool,
    outcome,
    ...observer?.completed({ tool, result, outcome }),
  }
}

const EMPTY_DIGEST = '0'.repeat(64)

/** Spans are untrusted: arguments that JSON cannot hold, or that are nested too deep, get the empty digest. */
function digestOrEmpty(values: ToolCall['arguments'], digest: ArgumentDigest): string {
  try {
    return digest(values ?? {})
  } catch {
    return EMPTY_DIGEST
  }
}
