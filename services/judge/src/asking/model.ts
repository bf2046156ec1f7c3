import { createBackoff, pause, type Clock, type Logger } from '@plimsoll/runtime'
import type { Endpoint, Protocol } from '../protocols/index.js'
import { notMilderThanItsName, parseAnswer } from './answer.js'
import type { JudgeMetrics } from '../metrics.js'
import { attempt, RETRYABLE, type Attempt } from './attempt.js'
import type { Budget, BudgetScope } from './budget.js'
import { promptOf, type StepRequest, type Judgement } from './question.js'

/** A model that labels tools. */
export interface Model {
  /** Never rejects. */
  ask(question: StepRequest): Promise<Judgement>
}

export interface ModelOptions {
  readonly protocol: Protocol
  readonly endpoint: Endpoint
  readonly timeoutMs: number
  readonly budget: Budget
  readonly metrics: JudgeMetrics
  readonly logger: Logger
  readonly clock: Clock
  /** Its abort ends running calls and pauses. */
  readonly signal: AbortSignal
  /** Bound of the first pause between attempts; 500 ms by default. */
  readonly firstPauseMs?: number
}

export const ATTEMPTS_MAX = 3
/** Most pause between two attempts. After a longer `Retry-After` the request fails, and no other is sent until then. */
const PAUSE_MS_MAX = 20_000
/** Most time without requests after a `Retry-After`. */
const QUIET_MS_MAX = 600_000

export function createModel(options: ModelOptions): Model {
  const { protocol, endpoint, timeoutMs, budget, metrics, logger, clock, signal } = options
  const url = urlOf(endpoint.url, protocol)
  const spent = createSpentNotice(logger, clock)
  const unanswered = createUnansweredNotice(logger, clock)
  let quietUntil = 0

  const call = async (body: string): Promise<Attempt> => {
    const start = performance.now()
    const made = await attempt({
      url,
      headers: protocol.headers(endpoint),
      body,
      timeoutMs,
      signal,
      now: () => clock.now(),
    })
    metrics.called(made.outcome, (performance.now() - start) / 1000, budget.left())
    return made
  }

  /** The last attempt, or the budget limit that prevented it. */
  const callPatiently = async (body: string): Promise<Attempt | BudgetScope | undefined> => {
    const backoff = createBackoff({ firstMs: options.firstPauseMs ?? 500, maxMs: 8_000 })
    let last: Attempt | undefined
    for (let tries = 0; tries < ATTEMPTS_MAX && !signal.aborted && clock.now() >= quietUntil; tries++) {
      const bound = budget.take()
      if (bound) return last ?? bound
      last = await call(body)
      if (!RETRYABLE.has(last.outcome)) return last
      const waitMs = Math.max(last.waitMs ?? 0, backoff.next())
      if (waitMs > PAUSE_MS_MAX) {
        quietUntil = clock.now() + Math.min(waitMs, QUIET_MS_MAX)
        return last
      }
      if (tries < ATTEMPTS_MAX - 1) await pause(waitMs, signal)
    }
    return last
  }

  const read = (question: StepRequest, { outcome, json, status }: Attempt): Judgement => {
    if (outcome === 'rejected') {
      logger.error('the endpoint rejects the request: check the key and the model', { status })
      return { kind: 'rejected' }
    }
    if (outcome !== 'ok' && !signal.aborted) unanswered({ outcome, status })
    if (outcome === 'invalid') return { kind: 'invalid' }
    if (outcome !== 'ok') return { kind: 'unavailable' }
    const reading = protocol.read(json)
    if (reading.kind !== 'answer') return { kind: reading.kind }
    const answer = parseAnswer(reading.value)
    return answer
      ? { kind: 'labels', answer: notMilderThanItsName(question.tool, answer) }
      : { kind: 'invalid' }
  }

  return {
    async ask(question) {
      const last = await callPatiently(JSON.stringify(protocol.body(promptOf(question), endpoint)))
      if (last === undefined) return { kind: 'unavailable' }
      if (typeof last !== 'string') return read(question, last)
      spent(last)
      return { kind: 'budget' }
    },
  }
}

/** The protocol's path appended to the address, with `/v1` unless it has a version. */
export function urlOf(base: string, { path }: Protocol): string {
  const trimmed = base.replace(/\/+$/, '')
  return `${/\/v\d+$/.test(trimmed) ? trimmed : `${trimmed}/v1`}${path}`
}

const NOTICE_MS = 60_000

/** Logs that the model does not answer, at most once a minute. */
function createUnansweredNotice(logger: Logger, clock: Clock): (why: Record<string, unknown>) => void {
  let saidAt = -Infinity
  return (why) => {
    if (clock.now() - saidAt < NOTICE_MS) return
    saidAt = clock.now()
    logger.warn('the model does not answer, so steps stay unlabelled: check PLIMSOLL_JUDGE_URL', why)
  }
}

/** Logs that the budget is spent: once for the run, at most once a minute for the minute. */
function createSpentNotice(logger: Logger, clock: Clock): (scope: BudgetScope) => void {
  const saidAt = new Map<BudgetScope, number>()
  return (scope) => {
    const now = clock.now()
    const last = saidAt.get(scope)
    if (last !== undefined && (scope === 'run' || now - last < NOTICE_MS)) return
    saidAt.set(scope, now)
    if (scope === 'run')
      logger.error('the budget of this run is spent: the model is not called again until a restart', {
        scope,
      })
    else logger.warn('the budget of this minute is spent: steps stay unlabelled', { scope })
  }
}
