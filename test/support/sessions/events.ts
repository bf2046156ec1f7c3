import { digestOf, type Event } from '@plimsoll/contracts'

type Body = {
  [T in Event['type']]: Omit<Extract<Event, { type: T }>, keyof Envelope> & { type: T }
}[Event['type']]

interface Envelope {
  schema: 1
  id: string
  sessionId: string
  producer: string
  seq: number
  time: number
}

/** Makes the events of one session in order, with sequence numbers; given members override the defaults. */
export function sessionScript(sessionId: string, producer = 'agent') {
  let seq = 0
  const next = (body: Body, over: Partial<Envelope> = {}): Event => {
    const number = over.seq ?? seq++
    return {
      schema: 1,
      id: `${producer}-${number}`,
      sessionId,
      producer,
      seq: number,
      time: 0,
      ...over,
      ...body,
    }
  }
  return {
    /** The client reports texts, and has none to report. */
    start: (category?: string) =>
      next({ type: 'session.started', ...(category && { category }), fingerprints: [] }),
    instruct: (fingerprints: string[]) => next({ type: 'session.instructed', fingerprints }),
    propose: (tool: string, callId = `call-${seq}`, over: Partial<Envelope> = {}) =>
      next({ type: 'step.proposed', callId, tool, argumentsDigest: digestOf({ tool }) }, over),
    complete: (tool: string, callId: string) => next({ type: 'step.completed', callId, tool, outcome: 'ok' }),
    end: () => next({ type: 'session.ended' }),
  }
}

/** A whole session: start, what its user `says`, each tool proposed and completed, end. */
export function wholeSession(
  sessionId: string,
  tools: readonly string[],
  category?: string,
  says: readonly string[][] = [],
): Event[] {
  const script = sessionScript(sessionId)
  const events = [script.start(category), ...says.map((fingerprints) => script.instruct(fingerprints))]
  for (const [i, tool] of tools.entries()) {
    events.push(script.propose(tool, `call-${i}`), script.complete(tool, `call-${i}`))
  }
  return [...events, script.end()]
}
