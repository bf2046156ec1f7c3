import { type TraceContext, PlimsollError, formatIssues } from '@plimsoll/contracts'
import type { z } from 'zod'
import type { Principal } from '../auth/principals.js'
import type { CheckMetrics } from '../metrics.js'
import type { OpenApprovals } from '../sessions/open-approvals.js'
import type { SessionRegistry } from '../sessions/session-registry.js'

/** The context of one request. */
export interface Caller {
  readonly principal: Principal
  readonly sessions: SessionRegistry
  /** The approval requests of the deployment; undefined where this process decides itself. */
  readonly approvals: OpenApprovals | undefined
  readonly metrics: CheckMetrics
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal
  /** The trace of the request. */
  readonly trace: TraceContext | undefined
}

/** One address. The OpenAPI document is made from these. */
export interface Route {
  readonly path: `/v1/${string}`
  /** The operation's name in generated clients. */
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly body: z.ZodType
  /** Undefined if it answers with 204. */
  readonly reply: z.ZodType | undefined
  /** Rejects with `schema_invalid` for another body. */
  readonly answer: (body: unknown, caller: Caller) => Promise<object | undefined>
}

/** Characters of a body that an error message repeats. */
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
  throw new PlimsollError('schema_invalid', formatIssues(error, 'body').slice(0, PROBLEM_CHARS_MAX))
}

/** `members` without those that are undefined. */
export function present<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
