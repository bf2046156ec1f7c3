import type { Answer } from '@plimsoll/client'
import { type TraceContext, PlimsollError } from '@plimsoll/contracts'
import { type HistogramSpec, type MetricSpec, type Metrics, SECONDS_BUCKETS } from '@plimsoll/runtime'
import type { z } from 'zod'
import type { Principal } from '../auth/principals-file.js'
import type { HttpSessionRegistry } from './session-registry.js'

/** What it measures. Names are without the prefix. */
export const CHECK_METRICS = {
  requests: {
    name: 'http_requests_total',
    help: 'Requests of the HTTP check, by what they ask and the status of the answer.',
    labels: ['operation', 'status'],
  },
  checks: {
    name: 'http_checks_total',
    help: 'HTTP checks, by verdict and by what gave it: a decision, or a fail mode.',
    labels: ['verdict', 'by'],
  },
  seconds: {
    name: 'http_check_seconds',
    help: 'From an HTTP check to its verdict, without the time that humans take.',
    buckets: SECONDS_BUCKETS,
  },
} as const satisfies Readonly<Record<string, MetricSpec<string> | HistogramSpec<string>>>

/** What the HTTP check measures; its parts call these and hold no metric themselves. */
export interface CheckMetrics {
  /** A request that was answered. */
  answered(operation: string, status: number): void
  /** A proposal that was answered, `seconds` after it came; waiting for humans is not in it. */
  checked(answer: Pick<Answer, 'verdict' | 'by'>, seconds: number): void
}

export function createCheckMetrics(metrics: Metrics): CheckMetrics {
  const requests = metrics.counter(CHECK_METRICS.requests)
  const checks = metrics.counter(CHECK_METRICS.checks)
  const seconds = metrics.histogram(CHECK_METRICS.seconds)
  return {
    answered: (operation, status) => requests.inc({ operation, status: String(status) }),
    checked: ({ verdict, by }, took) => {
      checks.inc({ verdict, by })
      seconds.observe({}, took)
    },
  }
}

/** Who asks, and for how long. */
export interface Caller {
  readonly principal: Principal
  readonly sessions: HttpSessionRegistry
  readonly metrics: CheckMetrics
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
  /** Of the trace that the request belongs to. */
  readonly trace: TraceContext | undefined
}

/** One address: what it takes, what it gives, and what it does. The OpenAPI document is made of these. */
export interface Route {
  readonly path: `/v1/${string}`
  /** Name of the operation, for clients that are generated. */
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly body: z.ZodType
  /** Undefined where it answers with nothing: 204. */
  readonly reply: z.ZodType | undefined
  /** Rejects with `schema_invalid` for another body. */
  readonly answer: (body: unknown, caller: Caller) => Promise<object | undefined>
}

/** What messages repeat of a body, characters: a line, whatever was sent. */
const PROBLEM_CHARS_MAX = 500

export function defineRoute<B extends z.ZodType>(
  route: Omit<Route, 'answer' | 'body'> & {
    readonly body: B
    readonly answer: (body: z.infer<B>, caller: Caller) => Promise<object | undefined>
  },
): Route {
  return { ...route, answer: async (body, caller) => route.answer(parseBody(route.body, body), caller) }
}

function parseBody<B extends z.ZodType>(schema: B, body: unknown): z.infer<B> {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw new PlimsollError('schema_invalid', problems.join('; ').slice(0, PROBLEM_CHARS_MAX))
}
