import { digestOf, eventSchema, type Event } from '@plimsoll/contracts'

/** Tools of a plain working session, in the order in which an agent would call them. */
const TOOLS = [
  'list_files',
  'read_file',
  'search_emails',
  'create_file',
  'fetch_webpage',
  'send_email',
] as const
const DIGEST = digestOf({ path: 'notes.txt' })

/** The events of one session as a monitor reads them, through JSON and the schema. Deterministic. */
export function sessionEvents(sessionId: string, calls: number): Event[] {
  return makeEvents(sessionId, calls).map((event) => eventSchema.parse(JSON.parse(JSON.stringify(event))))
}

/** Start, `calls` proposals each completed, end. */
function makeEvents(sessionId: string, calls: number): Event[] {
  const base = { schema: 1, sessionId, producer: 'bench', time: 0 } as const
  const events: Event[] = [
    { ...base, id: `${sessionId}-s`, seq: 0, type: 'session.started', category: 'research_comms' },
  ]
  for (let i = 0; i < calls; i++) {
    const call = { callId: `c${i}`, tool: TOOLS[i % TOOLS.length] ?? 'read_file' }
    events.push({
      ...base,
      ...call,
      id: `${sessionId}-p${i}`,
      seq: 1 + 2 * i,
      type: 'step.proposed',
      argumentsDigest: DIGEST,
    })
    events.push({
      ...base,
      ...call,
      id: `${sessionId}-c${i}`,
      seq: 2 + 2 * i,
      type: 'step.completed',
      outcome: 'ok',
    })
  }
  events.push({ ...base, id: `${sessionId}-e`, seq: 1 + 2 * calls, type: 'session.ended' })
  return events
}
