import { APPROVAL_SCOPES, LEVELS, PlimsollError, lineSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import type { Fleet, Me, Queue, SessionPage, SessionRow } from '../api.js'
import type { Login } from '../auth/logins.js'
import { ROLES, hasRole, tenantsOf } from '../auth/users.js'
import { thresholdsOf } from '../thresholds.js'
import { appealStep, readAppeals } from './appeal-routes.js'
import { changeControls, readControls } from './control-routes.js'
import { readMet, readPolicies } from './policy-routes.js'
import { groupQuestions } from './question-groups.js'
import {
  type Route,
  type RouteContext,
  type RouteRequest,
  assertRole,
  nameSchema,
  parse,
  tenantsFor,
} from './route.js'

const SESSIONS_DEFAULT = 100
const SESSIONS_MAX = 500
const FACETS_MAX = 200
const STEPS_MAX = 1_000
const RELATIVES_MAX = 200
const NOTES_MAX = 200
const QUESTIONS_MAX = 1_000
const GROUPS_MAX = 200

const fleetSchema = z.strictObject({
  tenant: nameSchema.optional(),
  category: nameSchema.optional(),
  agent: nameSchema.optional(),
  level: z.enum(LEVELS).optional(),
  limit: z.coerce.number().int().min(1).max(SESSIONS_MAX).default(SESSIONS_DEFAULT),
})

const queueSchema = z.strictObject({ tenant: nameSchema.optional() })

const answerSchema = z.strictObject({
  resolution: z.enum(['approved', 'denied']),
  reason: lineSchema(500).optional(),
  scope: z.enum(APPROVAL_SCOPES).optional(),
  unseen: z.boolean().optional(),
})

export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/me',
    role: 'viewer',
    answer: async ({ login }, { now, canAnswer }): Promise<Me> => meOf(login, now(), canAnswer),
  },
  { method: 'GET', path: '/api/fleet', role: 'viewer', answer: readFleet },
  { method: 'GET', path: '/api/sessions/:id', role: 'viewer', answer: readSession },
  { method: 'GET', path: '/api/queue', role: 'viewer', answer: readQueue },
  { method: 'POST', path: '/api/approvals/:decisionId', role: 'approver', answer: answerQuestion },
  { method: 'GET', path: '/api/appeals', role: 'viewer', answer: readAppeals },
  { method: 'POST', path: '/api/appeals/:decisionId', role: 'approver', answer: appealStep },
  { method: 'GET', path: '/api/policies', role: 'viewer', answer: readPolicies },
  { method: 'GET', path: '/api/met', role: 'viewer', answer: readMet },
  { method: 'GET', path: '/api/controls', role: 'viewer', answer: readControls },
  { method: 'POST', path: '/api/controls', role: 'operator', answer: changeControls },
]

export const meOf = ({ user: { name, roles }, expiresAt }: Login, now: number, answers: boolean): Me => ({
  name,
  roles,
  expiresAt,
  now,
  answers,
})

async function readFleet(
  request: RouteRequest,
  { store, totals: totalsOf, now, lag, findDocument }: RouteContext,
): Promise<Fleet> {
  const { tenant, limit, ...rest } = parse(fleetSchema, request.query, 'query')
  const query = { ...rest, tenants: tenantsFor(request, tenant) }
  const [part, totals, facets] = await Promise.all([
    store.sessions(query, limit, now()),
    totalsOf(query),
    store.facets(tenantsOf(request.login.user), FACETS_MAX),
  ])
  const [first] = part.sessions
  const details = first && (await store.details(first.id))
  const thresholds = thresholdsOf(findDocument, details?.versions?.bundle, undefined)
  return { ...part, totals, ...facets, lag: lag(), ...(thresholds && { thresholds }) }
}

/** The session, if the user may see it. Sessions of other tenants are as unknown as those that never were. */
async function visibleSession(
  { login: { user } }: RouteRequest,
  id: string,
  { store, now }: RouteContext,
): Promise<SessionRow> {
  const [session] = await store.sessionsById([id], now())
  if (session && hasRole(user, session.tenant, 'viewer')) return session
  throw new PlimsollError('session_unknown', `there is no session \`${id.slice(0, 200)}\` in the read model`)
}

async function readSession(request: RouteRequest, context: RouteContext): Promise<SessionPage> {
  const { store, now, findDocument } = context
  const session = await visibleSession(request, request.params['id'] ?? '', context)
  const { id } = session
  const [details, steps, relatives, open, notes] = await Promise.all([
    store.details(id),
    store.steps(id, STEPS_MAX + 1),
    store.relatives(session, RELATIVES_MAX, now()),
    store.openQuestions([session.tenant], QUESTIONS_MAX, now(), id),
    store.notes(id, NOTES_MAX),
  ])
  const { task, versions, chain } = details ?? {}
  const thresholds = thresholdsOf(findDocument, versions?.bundle, chain)
  return {
    session,
    ...(task !== undefined && { task }),
    ...(versions && { versions }),
    ...(thresholds && { thresholds }),
    steps: steps.slice(-STEPS_MAX),
    isCut: steps.length > STEPS_MAX,
    relatives,
    questions: open.questions,
    notes,
  }
}

async function readQueue(request: RouteRequest, { store, now }: RouteContext): Promise<Queue> {
  const { tenant } = parse(queueSchema, request.query, 'query')
  const { user } = request.login
  const { questions, count } = await store.openQuestions(tenantsFor(request, tenant), QUESTIONS_MAX, now())
  return {
    groups: groupQuestions(questions).slice(0, GROUPS_MAX),
    count,
    now: now(),
    mayAnswer: Object.entries(user.roles).flatMap(([name, role]) =>
      ROLES.indexOf(role) >= ROLES.indexOf('approver') ? [name] : [],
    ),
  }
}

async function answerQuestion(request: RouteRequest, context: RouteContext): Promise<object> {
  const { store, answers, metrics } = context
  const { user } = request.login
  const decisionId = request.params['decisionId'] ?? ''
  const found = await store.question(decisionId)
  if (!found || !hasRole(user, found.question.tenant, 'viewer'))
    throw new PlimsollError('approval_unknown', `no question \`${decisionId.slice(0, 400)}\` is known here`)
  assertRole(user, found.question.tenant, 'approver')
  const given = parse(answerSchema, request.body, 'body')
  try {
    const answered = await answers.answer(found, user.name, given)
    metrics.answer(given.resolution)
    return answered
  } catch (error) {
    metrics.answer(error instanceof PlimsollError ? error.code : 'failed')
    throw error
  }
}
