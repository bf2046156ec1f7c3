import { eventSchema, PlimsollError, type EventOf, parseJson } from '@plimsoll/contracts'
import { partitionOf, type EventLog, type LogRecord } from '@plimsoll/runtime'
import { rangesOf } from '../records.js'

type Proposal = EventOf<'step.proposed'>

export interface ProposalSearch {
  readonly log: Pick<EventLog, 'read' | 'describe' | 'offsetAt'>
  /** The topic of events. */
  readonly topic: string
  readonly sessionId: string
  /** The step as the session's record has it. */
  readonly step: Pick<Proposal, 'callId' | 'tool' | 'argumentsDigest'>
  /** When its approval expires, milliseconds since 1970: it was proposed before. */
  readonly expiresMs: number
  readonly signal?: AbortSignal | undefined
}

/** Policies let most approvals wait for less. */
const FIRST_LOOK_MS = 3_600_000
/** No policy lets one wait for longer (`approvals.ttlSeconds`), and append times are of several clocks. */
const LAST_LOOK_MS = 7 * 86_400_000 + 60_000

/** Clients repeat a proposal a few times at most; others with access to the topic may write more. */
const PROPOSALS_MAX = 64

/**
 * The events that say they propose `step`, read back from the session's partition, in log order. Empty where the log has none any more.
 * Anyone who can write to the topic can write another one for the same step: believe the arguments of none that `openArguments` does not open.
 */
export async function findProposals(search: ProposalSearch): Promise<readonly Proposal[]> {
  const { log, topic, sessionId, expiresMs } = search
  const partitions = (await log.describe(topic))?.length
  if (partitions === undefined)
    throw new PlimsollError('config_invalid', `no topic \`${topic}\`: \`plimsoll doctor --create\` makes it`)
  const partition = partitionOf(sessionId, partitions)
  const first = await proposalsFrom(search, partition, expiresMs - FIRST_LOOK_MS)
  return first.length > 0 ? first : proposalsFrom(search, partition, expiresMs - LAST_LOOK_MS)
}

async function proposalsFrom(
  { log, topic, sessionId, step, signal }: ProposalSearch,
  partition: number,
  fromMs: number,
): Promise<readonly Proposal[]> {
  const ranges = await rangesOf(log, topic, { fromMs, partition })
  const found: Proposal[] = []
  const take = ({ key, value }: LogRecord) => {
    if (key !== sessionId || found.length >= PROPOSALS_MAX) return
    const event = proposalIn(value)
    if (event && isOf(event, step) && event.sessionId === sessionId) found.push(event)
  }
  if (ranges.length > 0) await log.read(topic, take, { ranges, ...(signal && { signal }) })
  return found
}

const isOf = (event: Proposal, step: ProposalSearch['step']): boolean =>
  event.callId === step.callId && event.tool === step.tool && event.argumentsDigest === step.argumentsDigest

function proposalIn(value: Buffer | null): Proposal | undefined {
  // Anyone may have written there: what is no JSON proposes nothing.
  const { data: event } = eventSchema.safeParse(parseJson(value))
  return event?.type === 'step.proposed' ? event : undefined
}
