import { TENANT_PATTERN } from '@plimsoll/contracts'
import { z } from 'zod'

/**
 * Each tenant has a tree of its own. The fleet's tree has what is of no single tenant: control changes of the fleet, gaps of the log, and
 * tenants beyond the limit of trees. No tenant has its name, because none begins with `_`.
 */
export const FLEET_TREE = '_fleet'

/** A tenant, or the fleet. */
export const treeNameSchema = z
  .string()
  .refine((name) => name === FLEET_TREE || TENANT_PATTERN.test(name), 'expected a tenant or `_fleet`')
