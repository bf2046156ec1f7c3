import type { JudgeMetrics, StepOutcome } from './metrics.js'
import { createHash } from 'node:crypto'
import {
  type Decision,
  type EventOf,
  type Refinement,
  EVENT_SCHEMA,
  TENANT_HEADER,
  decisionSchema,
  sign,
  parseJson,
} from '@plimsoll/contracts'
import type { Batch, Clock, EventLog, LogRecord, OutgoingRecord } from '@plimsoll/runtime'
import { LRUCache } from 'lru-cache'
import { type Answer, labelsOf } from './asking/answer.js'
import { type Judge, createGate } from './asking/judge.js'
import { requestOf } from './asking/question.js'
import type { Candidates } from './candidates.js'
import type { Arguments } from './proposals.js'

type Refined = EventOf<'labels.refined'>

export interface RefinementOptions {
  readonly effect: Refinement
  /** Name of the model. */
  readonly by: string
  readonly signingKey: string
}

/** The `labels.refined` record for a decision. Deterministic: the same for the same decision and answer. */
export function refinementOf(
  { id: decisionId, sessionId, tenant, callId, tool, time }: Decision,
  answer: Answer,
  { effect, by, signingKey }: RefinementOptions,
): OutgoingRecord {
  const event = sign<Refined>(
    {
      schema: EVENT_SCHEMA,
      id: `refined:${createHash('sha256').update(decisionId).digest('hex').slice(0, 32)}`,
      sessionId,
      producer: PRODUCER,
      seq: 0,
      time,
      type: 'labels.refined',
      decisionId,
      callId,
      tool,
      labels: labelsOf(answer),
      effect,
      by,
      ...(answer.reason !== '' && { reason: answer.reason }),
    },
    signingKey,
  )
  return { key: sessionId, value: JSON.stringify(event), headers: { [TENANT_HEADER]: tenant } }
}

const PRODUCER = 'plimsoll-judge'

export interface StepsOptions {
  readonly log: Pick<EventLog, 'produce'>
  readonly eventsTopic: string
  readonly judge: Judge
  readonly findArguments: (decision: Decision) => Promise<Arguments | undefined>
  readonly candidates: Candidates | undefined
  /** Names of arguments whose values may be sent. */
  readonly sharedArguments: readonly string[]
  readonly effect: Refinement
  /** Name of the model. */
  readonly by: string
  readonly signingKey: string
  /** Older decisions are skipped: their sessions have moved on. */
  readonly ageMaxMs: number
  readonly metrics: JudgeMetrics
  readonly clock: Clock
  /** Its abort ends running work, which the next start repeats. */
  readonly signal: AbortSignal
}

/** Pairs of session and tool that were reported, each once. */
const LOGGED_MAX = 16_384
/** Concurrent look-ups; each reads the log. */
const LOOK_UPS_MAX = 4

/** Handles a batch of decisions: judges each unlabelled tool and reports the labels to its session. Commits the batch at the end. */
export function createStepJudge(options: StepsOptions): (batch: Batch) => Promise<void> {
  const { judge, findArguments, candidates, sharedArguments, metrics, clock, signal } = options
  const lookUp = createGate(LOOK_UPS_MAX)
  const reported = new LRUCache<string, true>({ max: LOGGED_MAX })

  const report = async (decision: Decision): Promise<StepOutcome> => {
    const { tool } = decision
    const { judgement, isCached } = await judge.judge(
      requestOf(tool, await lookUp(() => findArguments(decision)), sharedArguments),
    )
    // After an abort the result is not the model's.
    if (judgement.kind !== 'labels') return signal.aborted ? 'failed' : judgement.kind
    const record = refinementOf(decision, judgement.answer, options)
    await options.log.produce(options.eventsTopic, [record])
    candidates?.add(tool, judgement.answer)
    return isCached ? 'cached' : 'asked'
  }

  /** Whether it is done; otherwise the session's next step with the tool retries. */
  const take = async (record: LogRecord, decision: Decision): Promise<boolean> => {
    if (clock.now() - record.timeMs > options.ageMaxMs) {
      metrics.stepDone('stale')
      return false
    }
    const outcome = await report(decision).catch((error: unknown) => {
      metrics.stepDone('failed')
      throw error
    })
    metrics.stepDone(outcome)
    if (outcome === 'failed') signal.throwIfAborted()
    return outcome !== 'budget' && outcome !== 'unavailable'
  }

  const takeOnce = async (record: LogRecord, decision: Decision): Promise<void> => {
    const subject = `${decision.sessionId} ${decision.tool}`
    if (reported.get(subject)) return
    reported.set(subject, true)
    let isDone = false
    try {
      isDone = await take(record, decision)
    } finally {
      if (!isDone) reported.delete(subject)
    }
  }

  return async (batch) => {
    const taken: Promise<void>[] = []
    for (const record of batch.records) {
      const decision = unlabelledIn(record)
      if (decision) taken.push(takeOnce(record, decision))
    }
    await allOf(taken)
    const last = batch.records.at(-1)
    if (last) await batch.commit(last.offset)
  }
}

/** As `Promise.all`, but settles only after all promises have. */
async function allOf(promises: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(promises)
  for (const each of settled) if (each.status === 'rejected') throw each.reason
}

const UNLABELLED = 'tool_unlabelled'

/** The decision in `record` if it is about a step with an unlabelled tool. */
function unlabelledIn({ value }: LogRecord): Decision | undefined {
  const text = value?.toString('utf8') ?? ''
  // Skips parsing most decisions.
  if (!text.includes(UNLABELLED)) return undefined
  const parsed = decisionSchema.safeParse(parseJson(text))
  if (parsed.data?.kind !== 'step') return undefined
  return parsed.data.reasons.some(({ source, code }) => source === 'unlabelled' && code === UNLABELLED)
    ? parsed.data
    : undefined
}
