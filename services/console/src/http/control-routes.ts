import { PlimsollError, idSchema, lineSchema, tenantSchema } from '@plimsoll/contracts'
import { z } from 'zod'
import type { ControlSent, Controls } from '../api.js'
import { hasRoleEverywhere, tenantsOf } from '../auth/users.js'
import { type RouteContext, type RouteRequest, assertRole, parse } from './route.js'

const ACTIONS = ['observe', 'enforce', 'inherit', 'stop', 'resume'] as const

const controlSchema = z.strictObject({
  action: z.enum(ACTIONS),
  tenant: tenantSchema.optional(),
  agent: idSchema.optional(),
  reason: lineSchema(500).optional(),
})

export const readControls = async (
  { login: { user } }: RouteRequest,
  { controls }: RouteContext,
): Promise<Controls> => controls.read(tenantsOf(user))

export async function changeControls(
  { login: { user }, body }: RouteRequest,
  { controls }: RouteContext,
): Promise<ControlSent> {
  const { action, tenant, agent, reason = '' } = parse(controlSchema, body, 'body')
  if (tenant !== undefined) assertRole(user, tenant, 'operator')
  else if (!hasRoleEverywhere(user, 'operator'))
    throw new PlimsollError(
      'forbidden',
      `\`${user.name}\` needs the role \`operator\` in every tenant: name a tenant`,
    )
  if (agent !== undefined && (action === 'stop' || action === 'resume'))
    throw new PlimsollError('schema_invalid', 'agent: a stop is for a tenant or for the fleet')
  if (reason.trim() === '')
    throw new PlimsollError('schema_invalid', 'reason: say why: it is recorded with your name')
  const scope = { ...(tenant !== undefined && { tenant }), ...(agent !== undefined && { agent }) }
  return controls.change({ action, reason, ...scope }, user.name)
}
