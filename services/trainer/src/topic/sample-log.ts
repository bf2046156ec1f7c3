import { digestOf, EVENT_SCHEMA, sign, type Event, type EventOf } from '@plimsoll/contracts'
import type { Observer } from '@plimsoll/labels'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import type { EventLog } from '@plimsoll/runtime'
import type { BlindTrace } from '../traces/blind.js'

export const SAMPLE_TOPIC = 'sample.events'
export const SAMPLE_KEY = 'the key of the sample log'

/** A log in this process whose topic of events has `partitions`. For tests. */
export async function createSampleLog(partitions = 2): Promise<EventLog> {
  const log = createEmbeddedLog()
  await log.createTopics([{ topic: SAMPLE_TOPIC, partitions }])
  return log
}

export async function publish(log: EventLog, events: readonly Event[]): Promise<void> {
  const records = events.map((event) => ({ key: event.sessionId, value: JSON.stringify(event) }))
  await log.produce(SAMPLE_TOPIC, records)
}

type Body<T extends Event['type']> = Partial<Omit<EventOf<T>, 'type' | 'schema'>>

/** Writes the events of a session in order, numbered by one producer. For tests. */
export function sampleScript(sessionId: string) {
  let seq = 0
  const next = <T extends Event['type']>(type: T, body: object): EventOf<T> =>
    ({
      schema: EVENT_SCHEMA,
      id: `e${seq}`,
      sessionId,
      producer: 'agent',
      seq: seq++,
      time: 0,
      type,
      ...body,
    }) as unknown as EventOf<T>
  return {
    start: (body: Body<'session.started'> = {}) => next('session.started', body),
    instruct: (body: Body<'session.instructed'> = {}) => next('session.instructed', body),
    propose: (callId: string, tool: string, body: Body<'step.proposed'> = {}) =>
      next('step.proposed', { callId, tool, argumentsDigest: digestOf({}), ...body }),
    complete: (callId: string, tool: string, body: Body<'step.completed'> = {}) =>
      next('step.completed', { callId, tool, outcome: 'ok', ...body }),
    end: () => next('session.ended', {}),
  }
}

/** The events that a client tells of a recorded session, to its end. For tests. */
export function eventsOf(
  sessionId: string,
  { task, category, steps }: BlindTrace,
  observer: Observer,
): Event[] {
  const script = sampleScript(sessionId)
  const events: Event[] = [script.start({ category, ...observer.started({ task }) })]
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const outcome = error ? 'error' : 'ok'
    events.push(
      script.propose(`c${i}`, tool, observer.proposed({ tool, description, arguments: args })),
      script.complete(`c${i}`, tool, { outcome, ...observer.completed({ tool, result, outcome }) }),
    )
  }
  return [...events, script.end()]
}

/** What somebody said of a session, signed. For tests. */
export const labelled = (sessionId: string, violated: boolean, callId?: string, key = SAMPLE_KEY): Event =>
  sign<EventOf<'session.labelled'>>(
    {
      schema: EVENT_SCHEMA,
      type: 'session.labelled',
      id: `l-${sessionId}-${violated}-${callId ?? ''}`,
      sessionId,
      producer: 'desk',
      seq: 0,
      time: 0,
      violated,
      by: 'ines',
      ...(callId !== undefined && { callId }),
    },
    key,
  )
