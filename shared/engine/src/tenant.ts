const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/

/**
 * The tenant in a session's id; equal to the contracts' `tenantOf`, as a test checks. Source:
 * docs/decisions/20261122-tenants-and-quotas.md.
 */
export function tenantOf(sessionId: string): string {
  const end = sessionId.indexOf('~')
  if (end < 1) return 'default'
  const name = sessionId.slice(0, end)
  return TENANT.test(name) ? name : 'default'
}
