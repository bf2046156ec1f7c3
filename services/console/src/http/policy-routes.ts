import { z } from 'zod'
import type { Met, Policies } from '../api.js'
import { tenantsOf } from '../auth/users.js'
import { policiesOf, policyIn } from '../controls/policies.js'
import { type RouteContext, type RouteRequest, nameSchema, parse } from './route.js'

const STEPS_MAX = 100

const policiesSchema = z.strictObject({ version: nameSchema.optional() })
const metSchema = z.strictObject({ code: nameSchema, version: nameSchema.optional() })

export async function readPolicies(request: RouteRequest, context: RouteContext): Promise<Policies> {
  const { version } = parse(policiesSchema, request.query, 'query')
  const { controls, findDocument, policyCounts } = context
  const tenants = tenantsOf(request.login.user)
  const { uses, counts } = await policyCounts({ tenants })
  return policiesOf({ controls, findDocument, uses, counts, seesAll: tenants === undefined }, version)
}

export async function readMet(request: RouteRequest, context: RouteContext): Promise<Met> {
  const { code, version } = parse(metSchema, request.query, 'query')
  const tenants = tenantsOf(request.login.user)
  const met = await context.store.met(tenants, code, STEPS_MAX)
  const shown =
    version === undefined
      ? undefined
      : (await readPolicies({ ...request, query: { version } }, context)).shown
  // Only of a policy that they may see.
  const policy = shown && shown.version === version ? policyIn(context.findDocument, version) : undefined
  const spec = policy?.specs.find(({ id }) => id === code)
  return { ...met, ...(spec && { spec: JSON.stringify(spec, null, 2) }) }
}
