import { PlimsollError, type TraceContext } from '@plimsoll/contracts'
import type { z } from 'zod'
import type { Principal } from '../principals/principal.js'
import type { Desk } from './desk.js'
import type { CheckMetrics } from './metrics.js'

/** Who asks, and for how long. */
export interface Caller {
  readonly principal: Principal
  readonly desk: Desk
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
