import {
  type Control,
  type Decision,
  type Topics,
  decisionId,
  decisionSchema,
  digestOf,
  sign,
  tenantOf,
} from '@plimsoll/contracts'
import { type EventLog, type OutgoingRecord, controlKeyOf, topicSpecs } from '@plimsoll/runtime'
import { approvalOf } from '../sessions/approvals.js'
import { sessionScript } from '../sessions/events.js'
import { SIGNING_KEY } from '../sessions/signing-key.js'

export const PARTITIONS = 3

/** One decision as a monitor writes it, without the parts that a proof does not read. */
export function sampleDecision(sessionId: string, step: number, over: Partial<Decision> = {}): Decision {
  const { kind = 'step', eventId = `agent-${step}` } = over
  return decisionSchema.parse({
    schema: 1,
    id: decisionId(sessionId, eventId, kind),
    kind,
    sessionId,
    tenant: tenantOf(sessionId),
    mode: 'enforce',
    eventId,
    callId: `call-${step}`,
    tool: 'send_email',
    argumentsDigest: digestOf({ sessionId, step }),
    verdict: 'allow',
    reasons: [],
    versions: { bundle: 'b'.repeat(32), policy: 'a'.repeat(32), catalogue: 'c'.repeat(32), engine: '7' },
    facts: {},
    step,
    time: 1_000 + step,
    ...over,
  })
}

/** What the topics have of a session: its start and a decision on each step; every third step is asked about and approved by Ada. */
export function sampleSession(sessionId: string, steps: number) {
  const events: OutgoingRecord[] = []
  const decisions: OutgoingRecord[] = []
  const add = (records: OutgoingRecord[], value: object) =>
    records.push({ key: sessionId, value: JSON.stringify(value) })
  const script = sessionScript(sessionId)
  add(events, { ...script.start('research_comms'), agent: 'mailer' })
  for (let step = 1; step <= steps; step++) {
    add(events, script.propose('send_email', `call-${step}`))
    if (step % 3 !== 0) add(decisions, sampleDecision(sessionId, step))
    else {
      const asked = sampleDecision(sessionId, step, { verdict: 'confirm', expiresAt: 9_999 })
      const approval = approvalOf(asked)
      add(decisions, asked)
      add(events, approval)
      add(decisions, sampleDecision(sessionId, step, { kind: 'approval', eventId: approval.id }))
    }
  }
  return { events, decisions }
}

/** A control change of the fleet, as it stands in every partition. */
export const sampleControl = (id: string): readonly OutgoingRecord[] =>
  Array.from({ length: PARTITIONS }, (_, partition) => ({
    key: controlKeyOf(partition, PARTITIONS),
    value: JSON.stringify(
      sign<Control>({ schema: 1, id, partition, time: 5, by: 'omar', type: 'fleet.stopped' }, SIGNING_KEY),
    ),
  }))

export const makeTopics = (log: EventLog, topics: Topics): Promise<void> =>
  log.createTopics(topicSpecs(topics, { partitions: PARTITIONS }))

/** Writes sessions into the topics, as fast as they are taken. */
export async function writeSessions(
  log: EventLog,
  topics: Topics,
  ids: readonly string[],
  steps: number,
): Promise<void> {
  for (const id of ids) {
    const { events, decisions } = sampleSession(id, steps)
    await log.produce(topics.events, events)
    await log.produce(topics.decisions, decisions)
  }
}
