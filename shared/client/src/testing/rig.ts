import { randomUUID } from 'node:crypto'
import { EVENT_SCHEMA, sign, topicsOf, type Decision, type EventOf, type Topics } from '@plimsoll/contracts'
import { createLabeller } from '@plimsoll/labels'
import { compileRules, createRuleBook } from '@plimsoll/policy'
import type { EventLog, OutgoingRecord } from '@plimsoll/runtime'
import { createEmbeddedLog } from '@plimsoll/runtime/embedded'
import { createClient } from '../client.js'
import type { ClientSettings } from '../link.js'
import type { PlimsollClient } from '../session.js'
import { testDocuments } from './documents.js'
import { startFoldLoop, type FoldLoop, type FoldLoopOptions } from './fold-loop.js'
import { createManualTime, passUntil, type ManualTime } from './manual-time.js'

type Produce = EventLog['produce']

export interface RigOptions extends Pick<FoldLoopOptions, 'isLost' | 'facts' | 'gate'> {
  readonly settings?: ClientSettings
  /** Stands in for the client's own produce of events; `next` is the real one. */
  readonly produce?: (records: readonly OutgoingRecord[], next: () => Promise<void>) => Promise<void>
}

/** A client, an embedded log and a fold loop that decides, with time in the test's hands. */
export interface Rig {
  readonly client: PlimsollClient
  readonly log: EventLog
  readonly topics: Topics
  readonly loop: FoldLoop
  readonly time: ManualTime
  /** Every produce of events that the client has begun, as the values of its records. */
  readonly produced: readonly (readonly string[])[]
  /** Publishes a human's answer to `decision`. */
  readonly approve: (decision: Decision | undefined, resolution?: 'approved' | 'denied') => Promise<void>
}

export async function createRig(
  test: { after(release: () => Promise<void>): void },
  options: RigOptions = {},
): Promise<Rig> {
  const time = createManualTime()
  const topics = topicsOf()
  const log = createEmbeddedLog({ clock: time.clock })
  await log.createTopics([topics.events, topics.decisions].map((topic) => ({ topic, partitions: 4 })))
  const documents = await testDocuments()
  const book = createRuleBook(compileRules(documents))
  const loop = await startFoldLoop({ ...options, log, topics, book })
  const produced: string[][] = []
  const produce: Produce = (topic, records) => {
    produced.push(records.map(({ value }) => String(value)))
    const next = () => log.produce(topic, records)
    return options.produce ? options.produce(records, next) : next()
  }
  const client = await createClient({
    log: { ...log, produce },
    labeller: createLabeller(documents.catalogue),
    clock: time.clock,
    timers: time.timers,
    ...options.settings,
  })
  test.after(async () => {
    await passUntil(time, client.close())
    await log.close()
  })
  const approve: Rig['approve'] = async (decision, resolution = 'approved') => {
    if (!decision) throw new Error('there is no decision to approve')
    await log.produce(topics.events, [approvalOf(decision, resolution)])
  }
  return { client, log, topics, loop, time, produced, approve }
}

function approvalOf(decision: Decision, resolution: 'approved' | 'denied'): OutgoingRecord {
  const { id, sessionId, argumentsDigest, expiresAt = 0 } = decision
  const event: Omit<EventOf<'approval.resolved'>, 'signature'> = {
    schema: EVENT_SCHEMA,
    id: `approval-${randomUUID()}`,
    sessionId,
    producer: 'test-approver',
    seq: 0,
    time: 0,
    type: 'approval.resolved',
    decisionId: id,
    argumentsDigest,
    expiresAt,
    resolution,
    by: 'ann',
  }
  return { key: sessionId, value: JSON.stringify(sign<EventOf<'approval.resolved'>>(event, 'test-key')) }
}
