import { createBackoff, pause, type Clock, type Logger } from '@plimsoll/runtime'
import type { Endpoint, Protocol } from '../protocols/index.js'
import { notMilderThanItsName, parseAnswer } from './answer.js'
import type { JudgeMetrics } from '../metrics.js'
import { attempt, RETRYABLE, type Attempt } from './attempt.js'
import type { Budget, BudgetScope } from './budget.js'
import { promptOf, type StepRequest, type Judgement } from './question.js'

/** Asks a model. */
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
  /** Ends calls and pauses under way. */
  readonly signal: AbortSignal
  /** Bound of the first pause between attempts; half a second by default. */
  readonly firstPauseMs?: number
}

export const ATTEMPTS_MAX = 3
/** Longer than that nobody waits between two attempts: the question is given up, and no other is asked until then. */
const PAUSE_MS_MAX = 20_000
/** Nor is anybody believed who asks to be left alone for longer. */
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

  /** The last attempt made, or the bound of the budget that stood before it. */
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
      logger.error('the endpoint rejects the request: is the key right, and the model?', { status })
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

/** The protocol's path behind the address, whether or not that has the version already. */
export function urlOf(base: string, { path }: Protocol): string {
  const trimmed = base.replace(/\/+$/, '')
  return `${/\/v\d+$/.test(trimmed) ? trimmed : `${trimmed}/v1`}${path}`
}

const NOTICE_MS = 60_000

/** Says that the model gives no answers, at most once a minute. */
function createUnansweredNotice(logger: Logger, clock: Clock): (why: Record<string, unknown>) => void {
  let saidAt = -Infinity
  return (why) => {
    if (clock.now() - saidAt < NOTICE_MS) return
    saidAt = clock.now()
    logger.warn('the model gives no answer: steps stay unlabelled; is PLIMSOLL_JUDGE_URL right?', why)
  }
}

/** Says that the budget is spent: of a run once, of a minute at most once a minute. */
function createSpentNotice(logger: Logger, clock: Clock): (scope: BudgetScope) => void {
  const saidAt = new Map<BudgetScope, number>()
  return (scope) => {
    const now = clock.now()
    const last = saidAt.get(scope)
    if (last !== undefined && (scope === 'run' || now - last < NOTICE_MS)) return
    saidAt.set(scope, now)
    if (scope === 'run')
      logger.error('the budget of this run is spent: nothing is asked any more until a restart', { scope })
    else logger.warn('the budget of this minute is spent: steps stay unlabelled', { scope })
  }
}
