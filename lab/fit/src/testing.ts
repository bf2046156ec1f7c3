/** Made-up sessions and a log of them: for tests alone. */
import { type Event, type EventOf, type ToolLabels, EVENT_SCHEMA, digestOf, sign } from '@plimsoll/contracts'
import type { Observer } from '@plimsoll/labels'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import type { EventLog } from '@plimsoll/runtime'
import type { BlindTrace } from './corpus/blind.js'
import type { Trace } from './corpus/trace.js'

const TOOLS: Readonly<Record<string, ToolLabels>> = {
  look: { capability: 'read', confidentiality: 'internal', reversibility: 'reversible' },
  mail: { capability: 'read', confidentiality: 'sensitive', reversibility: 'reversible' },
  write: { capability: 'write', reversibility: 'partial' },
  send: { capability: 'network', reversibility: 'irreversible' },
}

/** Labels of four made-up tools: look, mail, write, send. For tests. */
export const sampleLabels = (tool: string): ToolLabels | undefined => TOOLS[tool]

/** A made-up session that calls `tools` in turn; safe by default. */
export function sampleTrace(tools: readonly string[], over: Partial<Trace> = {}): Trace {
  return {
    source: 'sample',
    trace_id: tools.join('-'),
    model: 'sample',
    task: '',
    category_hint: 'data_handling',
    suite: 'sample',
    label: { unsafe: false },
    split: 'train',
    steps: tools.map((tool, i) => ({ i, tool })),
    ...over,
  }
}

/** `sampleTrace`, violated at the step `at`. For tests. */
export function unsafeTrace(tools: readonly string[], at: number, over: Partial<Trace> = {}): Trace {
  return sampleTrace(tools, { label: { unsafe: true, violation_step: at }, ...over })
}

/** An array as what a reader gives. For tests. */
export async function* streamed<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values
}

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

/** The events that a client sends for a recorded session, to its end. */
export function eventsOf(
  sessionId: string,
  { task, category, tools, steps }: BlindTrace,
  observer: Observer,
): Event[] {
  const script = sampleScript(sessionId)
  const events: Event[] = [script.start({ category, ...observer.started({ task, tools }) })]
  for (const [i, { tool, description, args, result, error }] of steps.entries()) {
    const outcome = error ? 'error' : 'ok'
    events.push(
      script.propose(`c${i}`, tool, observer.proposed({ tool, description, arguments: args })),
      script.complete(`c${i}`, tool, { outcome, ...observer.completed({ tool, result, outcome, tools }) }),
    )
  }
  return [...events, script.end()]
}

/** A signed outcome of a session. */
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
