import { PlimsollError, formatIssues } from '@plimsoll/contracts'
import { z } from 'zod'
import type { Answers } from '../answers/answer-question.js'
import type { AppealStep } from '../answers/appeal-step.js'
import type { AppealCounts, FleetTotals, PolicyUse, ReasonCount, Role } from '../api.js'
import type { Login } from '../auth/logins.js'
import { hasRole, tenantsOf } from '../auth/users.js'
import type { FleetControls } from '../controls/fleet-controls.js'
import type { FindDocument } from '../controls/policies.js'
import type { ConsoleMetrics } from '../metrics.js'
import type { ReadStore, SessionQuery, Tenants } from '../store/read-store.js'

/** Whose appeals are counted, and how many there are. */
export interface AppealsQuery {
  readonly tenants: Tenants
  readonly appeals: number
}

/** By which policies sessions were judged, and what mattered. */
export interface PolicyCounts {
  readonly uses: readonly PolicyUse[]
  readonly counts: readonly ReasonCount[]
}

/** What routes use. */
export interface RouteContext {
  readonly store: ReadStore
  readonly totals: (query: SessionQuery) => Promise<FleetTotals>
  readonly answers: Answers
  readonly appeal: AppealStep
  readonly appealCounts: (query: AppealsQuery) => Promise<AppealCounts>
  readonly controls: FleetControls
  readonly canAnswer: boolean
  readonly policyCounts: (query: { readonly tenants: Tenants }) => Promise<PolicyCounts>
  readonly findDocument: FindDocument
  readonly lag: () => number
  readonly metrics: ConsoleMetrics
  readonly now: () => number
}

export interface RouteRequest {
  readonly login: Login
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: unknown
  readonly body: unknown
}

/** One address. test/integration tries each with each role. */
export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** The role that it needs, in the tenant of what it is about; of a list, what is of other tenants is left out. */
  readonly role: Role
  /** Rejects with `forbidden`, and with `session_unknown` or `approval_unknown` where the tenant is hidden from the user. */
  readonly answer: (request: RouteRequest, context: RouteContext) => Promise<object>
}

/** A name of a query: of a tenant, an agent or a category. */
export const nameSchema = z.string().min(1).max(200)

/** Throws `schema_invalid`, naming the first problems. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, what: string): z.infer<S> {
  const { data, error } = schema.safeParse(value ?? {})
  if (error) throw new PlimsollError('schema_invalid', formatIssues(error, what, 5))
  return data
}

/** The user's, or the tenant that is asked for. */
export function tenantsFor({ login: { user } }: RouteRequest, tenant: string | undefined): Tenants {
  if (tenant === undefined) return tenantsOf(user)
  assertRole(user, tenant, 'viewer')
  return [tenant]
}

/** Throws `forbidden`. */
export function assertRole(user: Login['user'], tenant: string, role: Role): void {
  if (hasRole(user, tenant, role)) return
  throw new PlimsollError('forbidden', `\`${user.name}\` needs the role \`${role}\` in tenant \`${tenant}\``)
}
