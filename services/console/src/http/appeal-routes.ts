import { EXPECTED_VERDICTS, lineSchema, parseDecisionId, tenantOf } from '@plimsoll/contracts'
import { z } from 'zod'
import { unknownDecision } from '../answers/appeal-step.js'
import type { Appealed, Appeals } from '../api.js'
import { hasRole } from '../auth/users.js'
import { type RouteContext, type RouteRequest, assertRole, nameSchema, parse, tenantsFor } from './route.js'

const APPEALS_MAX = 200

const querySchema = z.strictObject({ tenant: nameSchema.optional() })

const appealSchema = z.strictObject({
  expected: z.enum(EXPECTED_VERDICTS).optional(),
  reason: lineSchema(500).optional(),
})

export async function readAppeals(
  request: RouteRequest,
  { store, appealCounts }: RouteContext,
): Promise<Appeals> {
  const tenants = tenantsFor(request, parse(querySchema, request.query, 'query').tenant)
  const part = await store.appeals(tenants, APPEALS_MAX)
  // The list and the counts agree: a new appeal is counted at once.
  return { ...part, ...(await appealCounts({ tenants, appeals: part.count })) }
}

export async function appealStep(request: RouteRequest, { appeal }: RouteContext): Promise<Appealed> {
  const { user } = request.login
  const decisionId = request.params['decisionId'] ?? ''
  const sessionId = parseDecisionId(decisionId)?.sessionId
  if (sessionId === undefined || !hasRole(user, tenantOf(sessionId), 'viewer'))
    throw unknownDecision(decisionId)
  assertRole(user, tenantOf(sessionId), 'approver')
  const { expected, reason } = parse(appealSchema, request.body, 'body')
  return appeal(
    decisionId,
    { ...(expected !== undefined && { expected }), ...(reason !== undefined && { reason }) },
    user.name,
  )
}
