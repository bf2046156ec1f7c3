import {
  type Appeal,
  type Decision,
  type Topics,
  PlimsollError,
  decisionSchema,
  eventSchema,
  isSignedBy,
  parseDecisionId,
  parseJson,
} from '@plimsoll/contracts'
import { type EventLog, type LogRecord, partitionOf } from '@plimsoll/runtime'
import { partitionsOf, rangesOf } from '../records.js'

type Reader = Pick<EventLog, 'describe' | 'offsetAt' | 'read'>

/**
 * A decision by its id, from the partition of its session. Rejects with `approval_unknown` if the topic does not have it, or not any more, and
 * with `config_invalid` without the topic.
 */
export async function findDecision(
  log: Reader,
  topics: Pick<Topics, 'decisions'>,
  decisionId: string,
  signal?: AbortSignal,
): Promise<Decision> {
  const sessionId = parseDecisionId(decisionId)?.sessionId ?? ''
  const partition = partitionOf(sessionId, (await partitionsOf(log, topics.decisions)).length)
  const ranges = await rangesOf(log, topics.decisions, { partition })
  const id = Buffer.from(JSON.stringify(decisionId))
  let found: Decision | undefined
  const take = ({ key, value }: LogRecord) => {
    if (key !== sessionId || found || !value?.includes(id)) return
    const { data } = decisionSchema.safeParse(parseJson(value))
    if (data?.id === decisionId) found = data
  }
  if (ranges.length > 0) await log.read(topics.decisions, take, { ranges, ...(signal && { signal }) })
  if (found) return found
  throw new PlimsollError(
    'approval_unknown',
    `no decision \`${decisionId}\` in \`${topics.decisions}\`: it was never made, or is older than the topic keeps`,
  )
}

export interface AppealsWindow {
  readonly log: Reader
  readonly topics: Pick<Topics, 'events'>
  /** Others may write to the topic: what it has not signed is no appeal. */
  readonly signingKey: string
  /** Default: all that the topic still has. */
  readonly fromMs?: number | undefined
  readonly signal?: AbortSignal
}

const MARK = Buffer.from('"decision.appealed"')

/** Calls `onAppeal` for each appeal in the log. Rejects with `config_invalid` if there is no such topic. */
export async function readAppeals(
  { log, topics, signingKey, fromMs, signal }: AppealsWindow,
  onAppeal: (appeal: Appeal) => void,
): Promise<void> {
  const ranges = await rangesOf(log, topics.events, { fromMs })
  const take = ({ value }: LogRecord) => {
    if (!value?.includes(MARK)) return
    const { data } = eventSchema.safeParse(parseJson(value))
    if (data?.type === 'decision.appealed' && isSignedBy(data, signingKey)) onAppeal(data)
  }
  if (ranges.length > 0) await log.read(topics.events, take, { ranges, ...(signal && { signal }) })
}
