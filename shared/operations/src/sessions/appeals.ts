import { randomUUID } from 'node:crypto'
import {
  type Appeal,
  type Decision,
  type GivenAppeal,
  type Topics,
  PlimsollError,
  appealOf,
  decisionSchema,
  eventSchema,
  isSignedBy,
  parseDecisionId,
  parseJson,
} from '@plimsoll/contracts'
import { type EventLog, type LogRecord, partitionOf } from '@plimsoll/runtime'
import { assertValid, partitionsOf, rangesOf } from '../records.js'

type Reader = Pick<EventLog, 'describe' | 'offsetAt' | 'read'>

/**
 * A decision by its id, from the partition of its session, or from the place `offset` in it. Rejects with `approval_unknown` if the topic does not have it, or not any more, and
 * with `config_invalid` without the topic.
 */
export async function findDecision(
  log: Reader,
  topics: Pick<Topics, 'decisions'>,
  decisionId: string,
  signal?: AbortSignal,
  offset?: bigint,
): Promise<Decision> {
  const sessionId = parseDecisionId(decisionId)?.sessionId ?? ''
  const partition = partitionOf(sessionId, (await partitionsOf(log, topics.decisions)).length)
  const kept = await rangesOf(log, topics.decisions, { partition })
  const ranges =
    offset === undefined
      ? kept
      : kept.flatMap(({ from, to }) => (from <= offset && offset < to ? [rangeAt(partition, offset)] : []))
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

const rangeAt = (partition: number, offset: bigint) => ({ partition, from: offset, to: offset + 1n })

export interface AppealPlace {
  readonly log: Reader & Pick<EventLog, 'produce'>
  readonly topics: Pick<Topics, 'decisions' | 'events'>
  readonly signingKey: string
  /** Such as `plimsoll-cli`. */
  readonly producer: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Publishes that a decision was wrong, with what replays it; no verdict changes. Rejects as `findDecision` does, and with `usage_invalid` for
 * a name or a reason that monitors would refuse.
 * @param offset of the decision, if it is known: else all that its partition keeps is read
 */
export async function appealDecision(
  { log, topics, signingKey, producer, now }: AppealPlace,
  decisionId: string,
  given: GivenAppeal,
  { signal, offset }: { readonly signal?: AbortSignal; readonly offset?: bigint | undefined } = {},
): Promise<Appeal> {
  const decision = await findDecision(log, topics, decisionId, signal, offset)
  const source = { id: `appeal-${randomUUID()}`, producer, timeMs: now() }
  const event = appealOf(decision, given, source, signingKey)
  assertValid(eventSchema, event)
  await log.produce(topics.events, [{ key: event.sessionId, value: JSON.stringify(event) }])
  return event
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
